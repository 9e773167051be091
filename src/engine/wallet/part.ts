import { CELL } from "../ledger/cell.ts";
import { ledgerSection } from "../ledger/ledger-section.ts";
import { part } from "../part.ts";
import "./events.ts";
import { adjust } from "./adjust.ts";
import { WALLET_SCHEMAS } from "./command-schemas.ts";
import { deposit } from "./deposit.ts";
import { FundsAudit } from "./funds-audit.ts";
import { holdingsIn } from "./outflow.ts";
import { transfer } from "./transfer.ts";

/** Money that comes into the venue, is corrected, or moves between accounts of a user. */
export const wallet = part({
  name: "wallet",
  commandSchemas: WALLET_SCHEMAS,
  commands: { deposit, adjust_balance: adjust, transfer },
  sections: [ledgerSection],
  audits: (state) => [new FundsAudit(state)],
  holdings: holdingsIn(CELL.spot),
});
