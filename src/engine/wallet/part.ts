import { part } from "../part.ts";
import { adjust } from "./adjust.ts";
import { deposit } from "./deposit.ts";
import { WALLET_FORMS } from "./forms.ts";
import { transfer } from "./transfer.ts";

/** Money that comes into the venue, is corrected, or moves between accounts of a user. */
export const wallet = part({
  name: "wallet",
  forms: WALLET_FORMS,
  commands: { deposit, adjust_balance: adjust, transfer },
});
