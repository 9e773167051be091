import type { Command } from "../../../../src/engine/command.ts";
import { command, id } from "../credit/line.ts";
import type { Action } from "../step.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";
import { show, takeBeside } from "./deadline.ts";

const NODE = "run of the play";

/**
 * Lets the end of a connection take back what is shown: its owner cuts it when he likes, and that is no cancel of his
 * that a rule could refuse. Before samples, fundings, windows and openings; with a grace within which another
 * connection comes or does not; several at once; also after he was frozen.
 */
export const severed: Strategy = {
  name: "severed",
  play: (hand) => {
    const { random, terms } = hand;
    const money = { futures: 100_000, usdt: 100_000, btc: 3, dsc: 100_000 };
    const [shows, trades] = [hand.account(money), hand.account(money)] as const;
    const leaseMs = random.pick([0, 0, 10_000, 60_000]);
    hand.at(400, command({ kind: "renew_connections", node: NODE, leaseMs }));
    for (let connection = 1; connection <= 12; connection++) {
      const endsMs = Math.max(2_000, random.pick([momentOf(hand), random.whole(2, terms.lastsMs / 1_000) * 1_000]));
      const atMs = Math.max(500, endsMs - random.pick([1, 999, 1_000, 5_000, 30_000]));
      const market = random.pick(["perp", "perp", "spot", "coin", "inverse"] as const);
      const graceMs = random.pick([0, 0, 1_000, 60_000]);
      show(hand, atMs, shows, market);
      hand.at(atMs, watch(shows, connection, graceMs));
      takeBeside(hand, atMs, endsMs, trades, market);
      const cut = random.pick([endsMs, endsMs, endsMs - 1, endsMs + 1]);
      hand.at(cut, command({ kind: "end_connections", node: NODE, connections: [connection] }));
      if (graceMs > 0 && random.chance(60)) back(hand, cut + random.pick([1, graceMs - 1, graceMs]), shows, connection);
      if (random.chance(10)) {
        hand.at(cut - 2, freeze(shows, true));
        hand.at(cut + 2, freeze(shows, false));
      }
    }
  },
};

function watch(user: string, connection: number, graceMs: number): Action {
  const watched = { userId: id(user), node: NODE, connection, scope: "ALL", marketIds: [], graceMs };
  return command({ kind: "watch_connection", ...watched });
}

/** Another connection takes the place of the one that ended, or says that nothing is to be cancelled. */
function back(hand: Hand, atMs: number, user: string, connection: number): void {
  const isNew = hand.random.chance(50);
  const none: Command = { kind: "unwatch_connection", userId: id(user), node: NODE, connection: connection + 100 };
  hand.at(atMs, isNew ? watch(user, connection + 100, 0) : command(none));
}

function freeze(user: string, frozen: boolean): Action {
  return command({ kind: "change_user", userId: id(user), frozen });
}
