/** What operators do for users. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { ASSETS, RATES } from "../markets.ts";

const LEVELS = ["low", "high"] as const;

export function deposit(draw: Draw): Command {
  const { random, settings } = draw;
  const few = formatDecimal(settings.funds / 10n, settings.scale);
  const amount = random.pick([few, few, "0", "9223372036854775807", "0.0000000000001"]);
  const ccy = random.pick(ASSETS);
  if (random.chance(30)) {
    const cell = random.pick([undefined, undefined, "sys:fee", "sys:ins_futures", "sys:interest"]);
    const signed = random.chance(60) ? `-${amount}` : amount;
    return {
      kind: "adjust_balance",
      userId: draw.userId(),
      cell,
      ccy,
      amount: signed,
      note: random.pick(["why", ""]),
    };
  }
  if (random.chance(20))
    return { kind: "deposit", cell: random.pick(["sys:ins_futures", "sys:fee"]), ccy, amount, note: "" };
  return { kind: "deposit", userId: draw.userId(), ccy, amount, note: "" };
}

export function changeUser(draw: Draw): Command {
  const { random } = draw;
  if (random.chance(10))
    return { kind: "create_user", name: `user ${random.whole(1, 20)}`, mainUserId: random.pick([undefined, 1, 99]) };
  if (random.chance(20)) return feeLevel(draw);
  if (random.chance(15)) return feeDeduction(draw);
  const rate = () => random.pick([undefined, undefined, null, ...RATES, "1", "x"]);
  const tradeBarred = random.pick([undefined, false, false, random.chance(20)]);
  const frozen = random.pick([undefined, false, false, random.chance(20)]);
  return {
    kind: "change_user",
    userId: draw.userId(),
    frozen,
    tradeBarred,
    makerFeeRate: rate(),
    takerFeeRate: rate(),
    feeLevel: random.pick([undefined, undefined, null, ...LEVELS]),
    feeDeduction: random.pick([undefined, true, random.chance(60)]),
    byUser: random.pick([undefined, true]),
  };
}

function feeLevel(draw: Draw): Command {
  const { random } = draw;
  const level = random.pick(LEVELS);
  if (random.chance(20)) return { kind: "delete_fee_level", level };
  const rate = () => random.pick([...RATES, "1"]);
  return { kind: "set_fee_level", level, makerFeeRate: rate(), takerFeeRate: rate() };
}

function feeDeduction(draw: Draw): Command {
  const { random } = draw;
  const ccy = random.pick([undefined, ...ASSETS, null, "NONE"]);
  return { kind: "set_fee_deduction", ccy, discountRate: random.pick([undefined, "0.2", ...RATES, "1"]) };
}
