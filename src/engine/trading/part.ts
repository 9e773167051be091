import { part } from "../part.ts";
import { setCancelOnly } from "./cancel-only.ts";
import { TRADING_FORMS } from "./forms.ts";

/** Orders, books and deals. */
export const trading = part({ name: "trading", forms: TRADING_FORMS, commands: { set_cancel_only: setCancelOnly } });
