import type { Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { WordBuffer } from "../words.ts";
import { GROUP_KINDS, type GroupKind } from "./groups.ts";

const CONDITION_ROW_WORDS = 7;
const GROUP_ROW_WORDS = 5;

/**
 * Conditions by ascending id of their stop orders, which the section before has read; groups by ascending id, and the
 * id of the next.
 */
export const conditionsSection: Section = {
  name: "conditions",
  version: 1,
  write: (state) => [conditionBytes(state), groupBytes(state)],
  read: (state, [conditions, groups]) => {
    loadConditions(state, WordBuffer.over(conditions as Uint8Array));
    loadGroups(state, WordBuffer.over(groups as Uint8Array));
  },
};

function conditionBytes({ stops }: State): Uint8Array<ArrayBuffer> {
  const slots = stops.byId([...stops.condition.keys()]);
  const rows = new WordBuffer(slots.length * CONDITION_ROW_WORDS);
  slots.forEach((slot, place) => {
    const at = place * CONDITION_ROW_WORDS;
    const { trail, trailRateE8, activation, groupId, display } = stops.conditionOf(slot);
    rows.f64.set([stops.stopId(slot), trail, trailRateE8, activation, groupId, stops.extreme(slot)], at);
    rows.i64[at + 6] = display;
  });
  return rows.bytes;
}

/** The best extremes first, as trails are entered. */
function loadConditions({ stops }: State, rows: WordBuffer): void {
  const entered: [slot: number, extreme: number][] = [];
  for (let at = 0; at < rows.length; at += CONDITION_ROW_WORDS) {
    const [stopId, trail, trailRateE8, activation, groupId, extreme] = rows.f64.subarray(at, at + CONDITION_ROW_WORDS);
    const slot = stops.find(stopId as number);
    stops.condition.set(slot, {
      trail: trail as number,
      trailRateE8: trailRateE8 as number,
      activation: activation as number,
      groupId: groupId as number,
      display: rows.i64[at + 6] as bigint,
    });
    entered.push([slot, extreme as number]);
  }
  const rank = ([slot, extreme]: readonly [number, number]) => (stops.sells(slot) ? -extreme : extreme);
  for (const [slot, extreme] of entered.sort((one, other) => rank(one) - rank(other))) stops.follow(slot, extreme);
}

/** A group: id, kind, order, up to two stop orders. */
function groupBytes({ stops: { groups } }: State): Uint8Array<ArrayBuffer> {
  const all = groups.all;
  const rows = new WordBuffer(1 + all.length * GROUP_ROW_WORDS);
  rows.f64[0] = groups.nextId;
  all.forEach(({ id, kind, orderId, stopIds }, place) => {
    const [one = 0, other = 0] = stopIds;
    rows.f64.set([id, GROUP_KINDS.indexOf(kind), orderId, one, other], 1 + place * GROUP_ROW_WORDS);
  });
  return rows.bytes;
}

function loadGroups({ stops: { groups } }: State, rows: WordBuffer): void {
  groups.nextId = rows.f64[0] as number;
  for (let at = 1; at < rows.length; at += GROUP_ROW_WORDS) {
    const [id, kind, orderId, ...stopIds] = rows.f64.subarray(at, at + GROUP_ROW_WORDS);
    groups.enter({
      id: id as number,
      kind: GROUP_KINDS[kind as number] as GroupKind,
      orderId: orderId as number,
      stopIds: stopIds.filter((stopId) => stopId > 0),
    });
  }
}
