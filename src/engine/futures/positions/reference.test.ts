import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { doFuturesAction, futuresActionLists, futuresVenue } from "../../../../test/engine/futures-actions.ts";
import { runs } from "../../../../test/support/runs.ts";
import type { Venue } from "../../../../test/support/venue.ts";
import type { DealEvent, RareEvent } from "../../event.ts";
import type { Market } from "../../listing/market.ts";
import { positionsIn } from "./account-sums.ts";
import { LIQUIDATOR } from "./futures-account.ts";
import { isHedge as isHedgeMode } from "./futures-seat.ts";

/** One side of a deal, as its user remembers it. */
interface Fill {
  readonly buys: boolean;
  readonly positionSide: string | undefined;
  readonly lots: bigint;
  readonly price: bigint;
  readonly fee: bigint;
  /** What a takeover or a deleveraging says that they are worth. */
  readonly value?: bigint;
}

/** Lots above 0 are long. Costs and realized profit in units. */
interface Plain {
  lots: bigint;
  cost: bigint;
  realized: bigint;
}

/** Value of so many lots: of contracts of a dollar their dollars over the price, rounded down. */
function worth(market: Market, price: bigint, lots: bigint): bigint {
  const unit = market.futures?.unit as bigint;
  return market.futures?.contractType === "inverse" ? (lots * unit) / price : lots * price * unit;
}

/** The open position that a list of fills comes to, worked out from nothing but the list. */
function replay(market: Market, fills: readonly Fill[]): Plain | undefined {
  let open: Plain = { lots: 0n, cost: 0n, realized: 0n };
  const isInverse = market.futures?.contractType === "inverse";
  for (const { buys, lots, price, fee, value: given } of fills) {
    const held = open.lots < 0n ? -open.lots : open.lots;
    const isAgainst = open.lots !== 0n && open.lots > 0n !== buys;
    const value = given ?? worth(market, price, lots);
    if (!isAgainst) {
      open.lots += buys ? lots : -lots;
      open.cost += value;
      open.realized -= fee;
      continue;
    }
    const closed = lots < held ? lots : held;
    const back = given ?? worth(market, price, closed);
    const spent = (open.cost * closed) / held;
    const gainsWithPrice = open.lots > 0n !== isInverse;
    if (closed < held) {
      open.lots += buys ? closed : -closed;
      open.cost -= spent;
      open.realized += (gainsWithPrice ? back - spent : spent - back) - fee;
      continue;
    }
    // What is left over opens the other way, with what is left of value and fee.
    const share = closed === lots ? fee : closingFee(fee, value, back);
    open = { lots: 0n, cost: 0n, realized: 0n };
    if (closed < lots) open = { lots: buys ? lots - closed : closed - lots, cost: value - back, realized: share - fee };
  }
  return open.lots === 0n ? undefined : open;
}

/** The fee on the closing part, at the rate that the whole fee has: 0.1 or 0.2 percent, rounded up. */
function closingFee(fee: bigint, value: bigint, closed: bigint): bigint {
  const per = [1n, 2n].find((rate) => (value * rate + 999n) / 1000n === fee) as bigint;
  const alone = (closed * per + 999n) / 1000n;
  return alone < fee ? alone : fee;
}

test("the positions of the engine are those that the plain list of fills comes to", () => {
  fc.assert(
    fc.property(futuresActionLists(100), (actions) => {
      const venue = futuresVenue();
      const fills = new Map<string, Fill[]>();
      const execute = venue.execute.bind(venue);
      venue.execute = (command) => {
        const done = execute(command);
        const told = new Map(
          done.events.flatMap((event) => (event.kind === "order" ? [[event.order.orderId, event.order]] : [])),
        );
        for (const event of done.events) {
          if (event.kind === "deal") remember(fills, event, (orderId) => told.get(orderId)?.positionSide);
          if (event.kind === "json") rememberEnd(venue, fills, event.event);
        }
        return done;
      };
      // Time settles positions and lets them pay funding, which no list of fills tells.
      for (const action of actions) if (action.do !== "wait") doFuturesAction(venue, action);
      compare(venue, fills);
    }),
    runs(100),
  );
});

function remember(fills: Map<string, Fill[]>, deal: DealEvent, sideOf: (orderId: number) => string | undefined): void {
  for (const party of [deal.taker, deal.maker]) {
    const buys = (party === deal.taker) === (deal.side === "buy");
    const positionSide = sideOf(party.orderId);
    const key = [party.userId, deal.marketId, positionSide ?? "net"].join();
    const fill = { buys, positionSide, lots: deal.lots, price: deal.price, fee: party.fee };
    fills.set(key, [...(fills.get(key) ?? []), fill]);
  }
}

/** A user's position that the venue took over, or closed against what it had taken over. */
function rememberEnd(venue: Venue, fills: Map<string, Fill[]>, event: RareEvent): void {
  if (event.type !== "liquidated" && event.type !== "deleveraged") return;
  const { userId, marketId, isShort } = event;
  const positionSide = isHedgeMode(venue.state, userId) ? (isShort ? "short" : "long") : undefined;
  const key = [userId, marketId, positionSide ?? "net"].join();
  const [lots, value] = [BigInt(event.lots), BigInt(event.value)];
  fills.set(key, [...(fills.get(key) ?? []), { buys: isShort, positionSide, lots, price: 0n, fee: 0n, value }]);
}

function compare(venue: Venue, fills: ReadonlyMap<string, Fill[]>): void {
  const { positions } = venue.state.futures;
  const stored = new Map<string, Plain>();
  for (const market of venue.state.markets) {
    for (const slot of positionsIn(venue.state, market.id)) {
      // What the venue took over it holds at values of its own.
      if (positions.userId(slot) === LIQUIDATOR) continue;
      const isHedge = isHedgeMode(venue.state, positions.userId(slot));
      const side = isHedge ? (positions.isShort(slot) ? "short" : "long") : "net";
      const sign = positions.isShort(slot) ? -1n : 1n;
      const [lots, cost] = [sign * positions.amount(slot), positions.settleCost(slot)];
      assert.equal(positions.entryCost(slot), cost, "nothing has been settled");
      stored.set([positions.userId(slot), market.id, side].join(), { lots, cost, realized: positions.realized(slot) });
    }
  }
  const expected = new Map<string, Plain>();
  for (const [key, list] of fills) {
    if (key.startsWith(`${LIQUIDATOR},`)) continue;
    const open = replay(venue.state.markets[Number(key.split(",")[1])] as Market, list);
    if (open !== undefined) expected.set(key, open);
  }
  assert.deepEqual(new Map([...stored].sort()), new Map([...expected].sort()));
}
