/** The check of histories itself: what can have happened passes, what cannot is found. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { xorshift } from "../support/xorshift.ts";
import { type AccountHistory, type Act, type Answer, accountModel } from "./account.ts";
import { contradictionIn, type Operation } from "./check.ts";

const START = 1_000;

const at = (calledAt: number, answeredAt: number, act: Act, answer?: Answer): Operation<Act, Answer> => ({
  ...{ act, calledAt, answeredAt, answer },
});
const place = (clientId: string, amount: number): Act => ({ kind: "place", clientId, amount });
const cancel = (clientId: string): Act => ({ kind: "cancel", clientId });
const balance: Act = { kind: "balance" };
const orders: Act = { kind: "orders" };
const holding = (available: number, frozen: number): Answer => ({ available, frozen });

const isSound = (history: AccountHistory) => contradictionIn(history, accountModel(START)) === undefined;

describe("a history of what clients saw", () => {
  test("is sound when one thing came after the other", () => {
    assert.ok(
      isSound([
        at(1, 2, place("a", 100), "done"),
        at(3, 4, balance, holding(900, 100)),
        at(5, 6, cancel("a"), "done"),
        at(7, 8, cancel("a"), "refused"),
        at(9, 10, balance, holding(1_000, 0)),
      ]),
    );
  });

  test("is sound whichever of two that met came first", () => {
    for (const seen of [holding(1_000, 0), holding(900, 100)]) {
      assert.ok(isSound([at(1, 9, place("a", 100), "done"), at(2, 8, balance, seen)]));
    }
  });

  const faults: Readonly<Record<string, AccountHistory>> = {
    "a placed order that is gone": [
      at(1, 2, place("a", 100), "done"),
      at(3, 4, orders, { clientIds: [] }),
      at(5, 6, orders, { clientIds: ["a"] }),
    ],
    "a balance of before, on another node": [at(1, 2, place("a", 100), "done"), at(3, 4, balance, holding(1_000, 0))],
    "time that runs back between two readers": [
      at(1, 9, place("a", 100), "done"),
      at(2, 3, balance, holding(900, 100)),
      at(4, 5, balance, holding(1_000, 0)),
    ],
    "half of an action": [at(1, 9, place("a", 100), "done"), at(2, 3, balance, holding(900, 0))],
    "an order that was taken twice": [at(1, 2, place("a", 100), "done"), at(3, 4, balance, holding(800, 200))],
    "two cancels of one order": [
      at(1, 2, place("a", 100), "done"),
      at(3, 9, cancel("a"), "done"),
      at(3, 9, cancel("a"), "done"),
    ],
    "the same money spent twice": [at(1, 9, place("a", 600), "done"), at(1, 9, place("b", 600), "done")],
    "an action that nobody knows of, seen and then not": [
      at(1, Infinity, place("a", 100)),
      at(3, 4, balance, holding(900, 100)),
      at(5, 6, balance, holding(1_000, 0)),
    ],
  };
  for (const [name, history] of Object.entries(faults)) {
    test(`shows ${name}`, () => assert.equal(isSound(history), false));
  }

  test("tells where it went wrong", () => {
    const history = [at(1, 2, place("a", 100), "done"), at(3, 4, balance, holding(1, 1))];
    assert.deepEqual(contradictionIn(history, accountModel(START)), { operation: history[1], ordered: 1 });
  });

  test("without an answer is sound whether it happened or not, at once or late", () => {
    const lost = at(1, Infinity, place("a", 100));
    assert.ok(isSound([lost, at(3, 4, balance, holding(1_000, 0))]));
    assert.ok(isSound([lost, at(3, 4, balance, holding(1_000, 0)), at(5, 6, balance, holding(900, 100))]));
    assert.ok(isSound([lost, at(3, 4, cancel("a"), "done"), at(5, 6, balance, holding(1_000, 0))]));
  });

  test("that came of one account is sound, and is not when one answer in it is another's", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { history, random } = happened(seed, 300);
      assert.ok(isSound(history), `seed ${seed}`);
      const read = history.findIndex(({ answer }, nth) => nth > 100 * random() && typeof answer === "object");
      const { answer } = history[read] as { answer: { available?: number; clientIds?: string[] } };
      const wrong = answer.clientIds === undefined ? { ...answer, available: -1 } : { clientIds: ["nobody's"] };
      history[read] = { ...(history[read] as Operation<Act, Answer>), answer: wrong as Answer };
      assert.equal(isSound(history), false, `seed ${seed}`);
    }
  });

  test("of many thousand operations is soon looked through", () => {
    assert.ok(isSound(happened(7, 20_000).history));
  });
});

/**
 * What four clients see of one account, each of whose operations happens at some moment between its call and its
 * answer.
 */
function happened(seed: number, operations: number) {
  const random = xorshift(seed);
  const model = accountModel(START);
  const free = [0, 0, 0, 0];
  const asked = Array.from({ length: operations }, (_, nth) => {
    const client = free.indexOf(Math.min(...free));
    const calledAt = (free[client] as number) + random();
    const happensAt = calledAt + random();
    const answeredAt = happensAt + random();
    free[client] = answeredAt;
    return { calledAt, happensAt, answeredAt, act: drawnAct(nth, random), isLost: random() < 0.002 };
  });
  let state = model.initial;
  const history: AccountHistory = [];
  for (const { calledAt, answeredAt, act, isLost } of asked.toSorted((one, other) => one.happensAt - other.happensAt)) {
    const applied = model.apply(state, act);
    state = applied.state;
    history.push(isLost ? at(calledAt, Infinity, act) : at(calledAt, answeredAt, act, applied.answer));
  }
  return { history, random };
}

function drawnAct(nth: number, random: () => number): Act {
  const kind = random();
  const recent = `o${nth - 1 - Math.floor(random() * 6)}`;
  if (kind < 0.3) return place(`o${nth}`, 10 + Math.floor(random() * 100));
  if (kind < 0.65) return cancel(recent);
  return kind < 0.85 ? balance : orders;
}
