import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "./budget.ts";
import { Client } from "./client.ts";

const link = { remoteAddress: "", cut: () => {}, hasRoom: true, send: () => {} };

test("when the budget is used up, a connection gets what is left of its even share, and the greedy get nothing", () => {
  const budget = new Budget({ budgetSubscriptions: 100, budgetUnlisted: 10 });
  const [greedy, modest] = [new Client(link, budget), new Client(link, budget)];
  assert.ok(budget.allows(greedy.subscriptions, 90));
  greedy.count(90, 9);
  assert.ok(budget.allows(modest.subscriptions, 10));
  modest.count(10, 1);
  assert.ok(!budget.allows(greedy.subscriptions, 1));
  assert.ok(!budget.allowsUnlisted(greedy.unlisted, 1));
  assert.ok(budget.allows(modest.subscriptions, 40), "its share is a half");
  assert.ok(!budget.allows(modest.subscriptions, 41));
  assert.ok(budget.allowsUnlisted(modest.unlisted, 4));
});

test("what a connection gives up, or leaves behind, others may have", () => {
  const budget = new Budget({ budgetSubscriptions: 100, budgetUnlisted: 10 });
  const [gone, other] = [new Client(link, budget), new Client(link, budget)];
  gone.count(100, 10);
  assert.ok(!budget.allows(other.subscriptions, 51));
  gone.count(-100, -10);
  gone.leave();
  assert.deepEqual([budget.subscriptions, budget.unlisted, budget.connections], [0, 0, 1]);
  assert.ok(budget.allows(other.subscriptions, 100));
});
