/** What main accounts do with sub-accounts, and what they try with those of others. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { ASSETS } from "../markets.ts";

const NAMES = ["sub-1", "sub-2", "sub-3", "other-1", "other-2", "x", "12345", "user 1"] as const;

export function moveMoney(draw: Draw): Command {
  const { random, settings } = draw;
  const few = formatDecimal(settings.funds / 20n, settings.scale);
  const account = () => random.pick(["SPOT", "SPOT", "SPOT", "SPOT", "FUTURES", "MARGIN"]);
  return {
    kind: "sub_transfer",
    userId: mainOf(draw),
    fromUserId: anyone(draw),
    toUserId: anyone(draw),
    from: account(),
    to: account(),
    ccy: random.pick(ASSETS),
    amount: random.pick([few, few, few, "0.0000000000001", "0", formatDecimal(settings.funds, settings.scale)]),
  };
}

export function administer(draw: Draw): Command {
  const { random } = draw;
  const userId = mainOf(draw);
  // In every fourth venue even users are sub-accounts.
  const subUserId = random.chance(70) ? 2 * random.whole(1, 2) : anyone(draw);
  const apiId = random.whole(1, 4);
  const permissions = random.pick([["API"], ["API", "FUTURES"], [], ["FUTURES", "AMM", "API", "MARGIN"], ["x"]]);
  const ipWhitelist = random.pick([[], ["192.0.2.1"]]);
  const remark = random.pick([undefined, "why", "x".repeat(51)]);
  switch (random.whole(0, 11)) {
    case 0:
    case 1:
      return { kind: "create_sub_account", userId, name: random.pick(NAMES), permissions, remark };
    case 2:
    case 3:
    case 4:
      return { kind: "freeze_sub_account", userId, subUserId, frozen: random.chance(40) };
    case 5:
    case 6:
      return {
        kind: "change_sub_account",
        subUserId,
        permissions: random.pick([undefined, permissions]),
        frozen: random.pick([undefined, false, true, true]),
      };
    case 7:
    case 8: {
      const key = { accessId: `key ${random.whole(1, 30)}`, secretCipher: "sealed", ipWhitelist };
      return { kind: "create_sub_api_key", userId, subUserId, ...key, tradeEnabled: random.chance(70), remark };
    }
    case 9: {
      const named = random.pick([undefined, subUserId]);
      const change = { tradeEnabled: random.pick([undefined, true, false]), remark };
      return {
        kind: "change_sub_api_key",
        userId,
        subUserId: named,
        apiId,
        ...change,
        ipWhitelist: random.pick([undefined, ipWhitelist]),
      };
    }
    default:
      return { kind: "delete_sub_api_key", userId, subUserId: random.pick([undefined, undefined, subUserId]), apiId };
  }
}

/** Mostly the one who has sub-accounts from the start. */
function mainOf(draw: Draw): number {
  return draw.random.chance(60) ? 1 : draw.random.whole(1, draw.settings.users + 4);
}

function anyone(draw: Draw): number {
  return draw.random.chance(30) ? 1 : draw.random.whole(1, draw.settings.users + 6);
}
