import { type Answer, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import type { Operator } from "./operators.ts";

const DAY_MS = 86_400_000;

/**
 * Why an operator may not credit or take away so many units of an asset today; undefined when it may, or has no limits.
 */
export function refuseBeyondLimit(
  state: State,
  actor: string | undefined,
  asset: Asset,
  units: bigint,
): Answer | undefined {
  const operator = state.operators.byName.get(actor ?? "");
  if (operator?.limits === undefined) return undefined;
  const limit = operator.limits.get(asset.ccy) ?? 0n;
  const left = limit - spentToday(state, operator, asset.ccy);
  if (sizeOf(units) <= left) return undefined;
  const text = (amount: bigint) => formatDecimal(amount, asset.scale);
  return refused(
    "invalid_command",
    `The operator ${operator.name} may move ${text(limit)} ${asset.ccy} a day, of which ` +
      `${text(left > 0n ? left : 0n)} are left.`,
  );
}

/** To be called when the units were moved. */
export function countAgainstLimit(state: State, actor: string | undefined, ccy: string, units: bigint): void {
  const operator = state.operators.byName.get(actor ?? "");
  if (operator?.limits === undefined) return;
  const spent = spentToday(state, operator, ccy);
  const today = dayOf(state);
  if (operator.day !== today) {
    operator.day = today;
    operator.spent.clear();
  }
  operator.spent.set(ccy, spent + sizeOf(units));
}

function spentToday(state: State, { day, spent }: Operator, ccy: string): bigint {
  return day === dayOf(state) ? (spent.get(ccy) ?? 0n) : 0n;
}

function dayOf(state: State): number {
  return Math.floor(state.timeMs / DAY_MS);
}

/** Returns the amount of a move: units that are taken away count like units that are given. */
function sizeOf(units: bigint): bigint {
  return units < 0n ? -units : units;
}
