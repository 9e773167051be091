import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSocketContract } from "../ws/contract.ts";
import { socketsPage } from "./sockets-page.ts";

const contract = loadSocketContract();

test("the page describes every call, channel, error and limit of the sockets that are served, and no others", () => {
  const page = socketsPage(contract, ["spot"]);
  const shown = (text: string) => page.includes(`<code>${text}</code>`);
  for (const { method } of contract.calls) assert.ok(shown(method), method);
  for (const { name, markets, subscribe, unsubscribe, update } of contract.channels) {
    const isSpot = markets !== "futures";
    assert.equal(page.includes(`<section id="${name}-${markets}">`), isSpot, `${name} ${markets}`);
    if (!isSpot) continue;
    for (const method of [subscribe.method, unsubscribe.method]) assert.ok(shown(method), method);
    assert.ok(page.includes(`<code>${update.method}</code>: data`), update.method);
    const fields = contract.values.records.get(update.record)?.fields ?? [];
    for (const field of fields) assert.ok(shown(field.name), `${update.record}.${field.name}`);
  }
  for (const { code } of contract.errors.spot) assert.ok(page.includes(`<td>${code}</td>`), String(code));
  for (const { code } of contract.errors.futures) assert.ok(!page.includes(`<td>${code}</td>`), String(code));
  for (const name of contract.limits.keys()) assert.ok(shown(name), name);
});

test("every place that the page points to is on it, and nothing is left to fill in", () => {
  const page = socketsPage(contract, ["spot", "futures"]);
  const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, target]) => target);
  assert.ok(targets.length > 20);
  assert.deepEqual(
    targets.filter((target) => !ids.has(target)),
    [],
  );
  assert.doesNotMatch(page, /\{\{|undefined|\[object/);
});
