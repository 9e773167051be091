/** Take profits and stop losses of positions: the six endpoints that set, change and cancel them. */

import type { Command } from "../../../engine/command.ts";
import type { CancelExits, ModifyExit, SetExit } from "../../../engine/futures/command-schemas.ts";
import type { ExitKind } from "../../../engine/futures/exits/exit.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Call, Handler } from "../../current/call.ts";
import { positionOf } from "../../current/records/positions.ts";
import type { PositionSide, TpslPriceType } from "../../current/types.generated.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import { execute } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket } from "../../reading/named-markets.ts";
import { openSlot } from "../../reading/open-positions.ts";
import { invalidParameter } from "../../refused.ts";

type Action = "set" | "modify" | "cancel";
type ExitEndpoint = `POST /futures/${Action}-position-${"stop-loss" | "take-profit"}`;

/** The parameters of both kinds of exit, by their names without the prefix of the kind. */
interface ExitParams {
  readonly market: string;
  readonly positionSide: PositionSide | undefined;
  readonly id: number | undefined;
  readonly type: TpslPriceType | undefined;
  readonly price: string | undefined;
  readonly amount: string | undefined;
}

export function positionExitHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;
  const levels = new AdlLevels(state);

  function handler<Name extends ExitEndpoint>(exit: ExitKind, commandOf: CommandMaker): Handler<Name> {
    return (given) => {
      const call = given as unknown as Call<ExitEndpoint>;
      const params = exitParams(exit, call.params);
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const { userId } = call.caller;
        const command = commandOf({ userId, marketId, positionSide: params.positionSide, exit }, params);
        if (command === undefined) {
          call.refuse(invalidParameter(`${exit}_type, ${exit}_price or ${exit}_amount must be given.`));
          return;
        }
        execute(backend, call, command, (outcome) => {
          const { positionId } = outcome.result as { positionId: number };
          const slot = openSlot(state, userId, marketId, positionId);
          if (slot === NONE) call.refuse("no_position");
          else call.answer(positionOf(state, printers, levels, slot));
        });
      });
    };
  }

  return {
    "POST /futures/set-position-stop-loss": handler("stop_loss", setExit),
    "POST /futures/set-position-take-profit": handler("take_profit", setExit),
    "POST /futures/modify-position-stop-loss": handler("stop_loss", modifyExit),
    "POST /futures/modify-position-take-profit": handler("take_profit", modifyExit),
    "POST /futures/cancel-position-stop-loss": handler("stop_loss", cancelExits),
    "POST /futures/cancel-position-take-profit": handler("take_profit", cancelExits),
  };
}

type Named = Pick<SetExit, "userId" | "marketId" | "positionSide" | "exit">;

/** Undefined when nothing is asked for. */
type CommandMaker = (of: Named, params: ExitParams) => Command | undefined;

/** The frame has seen to it that type and price are there. */
function setExit(of: Named, { type, price, amount }: ExitParams): SetExit {
  return { kind: "set_exit", ...of, triggerType: type as string, price: price as string, amount };
}

function modifyExit(of: Named, { id, type, price, amount }: ExitParams): ModifyExit | undefined {
  if (type === undefined && price === undefined && amount === undefined) return undefined;
  return { kind: "modify_exit", ...of, exitId: id as number, triggerType: type, price, amount };
}

function cancelExits(of: Named, { id }: ExitParams): CancelExits {
  return { kind: "cancel_exits", ...of, exitId: id };
}

function exitParams(exit: ExitKind, params: object): ExitParams {
  const given = params as Readonly<Record<string, never>>;
  return {
    market: given["market"] as unknown as string,
    positionSide: given["position_side"],
    id: given[`${exit}_id`],
    type: given[`${exit}_type`],
    price: given[`${exit}_price`],
    amount: given[`${exit}_amount`],
  };
}
