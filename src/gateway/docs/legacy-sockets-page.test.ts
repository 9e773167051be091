import assert from "node:assert/strict";
import { test } from "node:test";
import { loadContract } from "../current/contract.ts";
import { loadLegacyContract } from "../legacy/contract.ts";
import { loadLegacySocketContract } from "../legacy/sockets/contract.ts";
import { loadSocketContract } from "../ws/contract.ts";
import { legacySocketsPage } from "./legacy-sockets-page.ts";

const contract = loadLegacySocketContract(loadSocketContract(), loadLegacyContract("spot", loadContract()));
const page = legacySocketsPage(contract);

test("the page describes every call, channel and error of the legacy sockets, and says what they are", () => {
  const shows = (text: string) => assert.ok(page.includes(`<code>${text}</code>`), text);
  assert.match(page, /<h1>Legacy sockets<\/h1>/);
  for (const { method, result } of contract.calls) {
    assert.ok(page.includes(`<section id="call-${method}">`), method);
    for (const field of contract.values.records.get(result.record ?? "")?.fields ?? []) shows(field.name);
  }
  for (const { name, markets, subscribe, unsubscribe, update } of contract.channels) {
    assert.ok(page.includes(`<section id="${name}-${markets}">`), `${name} ${markets}`);
    for (const method of [subscribe.method, unsubscribe.method, update.method]) shows(method);
    for (const { record } of update.params) {
      for (const field of contract.values.records.get(record ?? "")?.fields ?? []) shows(field.name);
    }
  }
  for (const { code, message } of contract.errors) {
    assert.ok(page.includes(`<td>${code}</td>`), String(code));
    shows(message);
  }
});

test("every place that the page points to is on it, and nothing is left to fill in", () => {
  const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, target]) => target);
  assert.ok(targets.length > 20);
  assert.deepEqual(
    targets.filter((target) => !ids.has(target)),
    [],
  );
  assert.doesNotMatch(page, /\{\{|undefined|\[object/);
});
