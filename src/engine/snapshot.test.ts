import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.ts";
import { jsonChunk, jsonOf, type Section } from "./snapshot/section.ts";
import { SECTIONS } from "./snapshot/sections.ts";
import { loadSnapshot, takeSnapshot } from "./snapshot.ts";
import { State } from "./state.ts";

/**
 * A section of the test's own, of which there are two versions: the first kept a number, the second keeps its half as
 * well.
 */
function pointsOf(version: number, points: { sum: number; half: number }): Section {
  return {
    name: "points",
    version,
    write: () => [jsonChunk(version === 1 ? points.sum : points)],
    read: (_, [json], stored) => {
      const found = jsonOf(json);
      Object.assign(points, stored === 1 ? { sum: found, half: (found as number) / 2 } : found);
    },
  };
}

function withPoints(version: number, points = { sum: 0, half: 0 }) {
  return { points, sections: [...SECTIONS, pointsOf(version, points)] };
}

test("a section of an older version is migrated when it is read", () => {
  const { sections } = withPoints(1, { sum: 8, half: 0 });
  const old = takeSnapshot(new Engine().state, sections);
  const now = withPoints(2);
  loadSnapshot(new State(), old, 1, 1, now.sections);
  assert.deepEqual(now.points, { sum: 8, half: 4 });
});

test("a section that the snapshot does not have begins as in a new venue", () => {
  const now = withPoints(2);
  loadSnapshot(new State(), takeSnapshot(new Engine().state), 1, 1, now.sections);
  assert.deepEqual(now.points, { sum: 0, half: 0 });
});

test("a section that is newer, or unknown, is called newer with both versions", () => {
  const newer = takeSnapshot(new Engine().state, withPoints(2).sections);
  const sentence = (known: number) =>
    new RegExp(`newer program: it has version of the section "points" 2, and this program knows .* ${known}\\.$`);
  const load = (sections?: readonly Section[]) => () => loadSnapshot(new State(), newer, 1, 1, sections);
  assert.throws(load(withPoints(1).sections), { code: "newer_program", message: sentence(1) });
  assert.throws(load(), { code: "newer_program", message: sentence(0) });
});

test("the rules that hold come back with the state", () => {
  const { state } = new Engine();
  state.rulesVersion = 1;
  const again = new State();
  again.rulesVersion = 77;
  loadSnapshot(again, takeSnapshot(state), 5, 6);
  assert.deepEqual([again.rulesVersion, again.seq, again.timeMs], [1, 5, 6]);
});
