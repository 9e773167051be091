/** Makes up what happens in a simulated venue. Each step hangs on its own number alone, so that any of them can be left out. */
import type { Command } from "../../src/engine/command.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import { blind, cancelMany, changes, market, order, place, placeStop } from "./client-deeds.ts";
import { Draw } from "./draw.ts";
import { ASSETS, listing } from "./listing.ts";
import {
  auction,
  changeMarket,
  changeStatus,
  changeUser,
  deposit,
  indexPrices,
  maintenance,
} from "./operator-deeds.ts";
import { Random } from "./random.ts";
import type { Deed, Settings } from "./settings.ts";
import { picking, type Step } from "./step.ts";

/** The steps of a seed: those that make the venue, then `count` that happen in it. */
export function stepsOf(settings: Settings, count: number): Step[] {
  const random = new Random(settings.seed);
  const steps = setup(settings);
  for (let at = 0; at < count; at++) steps.push(stepOf(settings, random.next(), at / count));
  return steps;
}

/** The steps that list and fund. */
export function setup(settings: Settings): Step[] {
  const { scale, users, funds } = settings;
  const commands: Command[] = ASSETS.map((ccy) => ({ kind: "list_asset", ccy, scale }));
  for (let at = 0; at < settings.markets; at++) commands.push(listing(settings, at));
  for (let user = 1; user <= users; user++) {
    commands.push({ kind: "create_user", name: `user ${user}` });
    for (const ccy of ASSETS) {
      commands.push({ kind: "deposit", userId: user, ccy, amount: formatDecimal(funds, scale), note: "" });
    }
  }
  commands.push({ kind: "set_fee_deduction", ccy: settings.deductionCcy });
  for (let user = 1; user <= (users * settings.deducting) / 100; user++) {
    commands.push({ kind: "change_user", userId: user, feeDeduction: true });
  }
  return commands.map((command) => ({ waitMs: 0, command }));
}

/** A step from its number; `progress` says how far the run is, from 0 to 1: the middle of the prices wanders with it. */
export function stepOf(settings: Settings, number: number, progress: number): Step {
  const random = new Random(number);
  const waitMs = random.chance(settings.waitPercent) ? random.pick(settings.waits) : 0;
  return { waitMs, ...make(new Draw(settings, random, progress), random.weighted(settings.mix)) };
}

function make(draw: Draw, deed: Deed): Omit<Step, "waitMs"> {
  const { random } = draw;
  switch (deed) {
    case "order":
      return { command: place(draw, order(draw)) };
    case "market_order":
      return { command: { kind: "place_order", ...order(draw), ...market(draw) }, all: random.chance(20) };
    case "modify":
      return picking(random, { kind: "modify_order", orderId: 0, ...own(draw), ...changes(draw) });
    case "cancel":
      return picking(random, { kind: "cancel_order", orderId: 0, ...own(draw) });
    case "cancel_many":
      return { command: cancelMany(draw) };
    case "stop":
      return { command: placeStop(draw, order(draw)) };
    case "modify_stop": {
      const trigger = random.chance(60) ? draw.price() : undefined;
      return picking(random, {
        kind: "modify_stop_order",
        stopId: 0,
        ...own(draw),
        ...changes(draw),
        trigger,
      });
    }
    case "cancel_stop":
      return picking(random, { kind: "cancel_stop_order", stopId: 0, ...own(draw) });
    case "tick":
      return { command: { kind: "tick" } };
    case "index":
      return { command: indexPrices(draw) };
    case "deposit":
      return { command: deposit(draw) };
    case "user":
      return { command: changeUser(draw) };
    case "market":
      return { command: changeMarket(draw) };
    case "status":
      return { command: changeStatus(draw) };
    case "auction":
      return { command: auction(draw) };
    case "maintenance":
      return maintenance(draw);
    case "blind":
      return { command: blind(draw) };
  }
}

/** Whose and where something is; what is picked mostly says otherwise. */
function own(draw: Draw) {
  const account = draw.random.chance(6) ? draw.random.pick(["spot", "spot", "margin"] as const) : undefined;
  return { userId: draw.userId(), marketId: draw.marketId(), account };
}
