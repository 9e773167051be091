import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type Absence, connectionsOf, type Watched } from "./connections.ts";

interface Words {
  readonly nodes: readonly (readonly [node: string, untilMs: number, watched: readonly Watched[]])[];
  readonly absences: readonly (readonly [number: number, absence: Absence])[];
  readonly nextAbsence: number;
}

/** Connections by node and number, in the order in which they came, and those that ended and may be replaced. */
export const connectionsSection: Section = {
  name: "connections",
  version: 1,
  write: (state) => {
    const { nodes, absences, nextAbsence } = connectionsOf.of(state);
    const words: Words = {
      nodes: [...nodes].map(([node, { untilMs, connections }]) => [node, untilMs, [...connections.values()]]),
      absences: [...absences],
      nextAbsence,
    };
    return [jsonChunk(words)];
  },
  read: (state, [json]) => {
    const { nodes, absences, nextAbsence } = jsonOf(json) as Words;
    const own = connectionsOf.of(state);
    for (const [node, untilMs, all] of nodes) {
      const watching = { untilMs, connections: new Map<number, Watched>() };
      own.nodes.set(node, watching);
      for (const watched of all) own.watch(watching, watched);
    }
    for (const [number, absence] of absences) own.addAbsence(absence, number);
    own.nextAbsence = nextAbsence;
  },
};
