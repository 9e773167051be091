import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { sortedTextsOf, type UnitsByCcy, unitsOf } from "../snapshot/units.ts";
import { type Halt, withdrawalHalts } from "./withdrawal-halt.ts";

interface Stored {
  readonly halt: Halt | null;
  readonly missing: UnitsByCcy;
  readonly tolerated: UnitsByCcy;
}

export const withdrawalHaltSection: Section = {
  name: "withdrawal-halt",
  version: 1,
  write: (state) => {
    const { halt, missing, tolerated } = withdrawalHalts.of(state);
    const stored: Stored = { halt: halt ?? null, missing: sortedTextsOf(missing), tolerated: sortedTextsOf(tolerated) };
    return [jsonChunk(stored)];
  },
  read: (state, [json]) => {
    const { halt, missing, tolerated } = jsonOf(json) as Stored;
    const halts = withdrawalHalts.of(state);
    halts.halt = halt ?? undefined;
    halts.missing = unitsOf(missing);
    halts.tolerated = unitsOf(tolerated);
  },
};
