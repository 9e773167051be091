import { part } from "../part.ts";
import { cancelExits, modifyExit, setExit } from "./exits/exit-commands.ts";
import { FUTURES_FORMS } from "./forms.ts";
import { adjustMargin, setLeverage } from "./positions/margin.ts";
import { changeFuturesSettings } from "./positions/settings.ts";

/** Perpetual futures: positions, their margin, funding, liquidation and exits. */
export const futures = part({
  name: "futures",
  forms: FUTURES_FORMS,
  commands: {
    change_futures_settings: changeFuturesSettings,
    set_leverage: setLeverage,
    adjust_margin: adjustMargin,
    set_exit: setExit,
    modify_exit: modifyExit,
    cancel_exits: cancelExits,
  },
});
