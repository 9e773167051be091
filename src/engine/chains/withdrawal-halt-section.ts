import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type Halt, withdrawalHalts } from "./withdrawal-halt.ts";

type UnitsByCcy = readonly (readonly [ccy: string, units: string])[];

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
    const stored: Stored = { halt: halt ?? null, missing: textsOf(missing), tolerated: textsOf(tolerated) };
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

function textsOf(units: ReadonlyMap<string, bigint>): UnitsByCcy {
  return Array.from(units, ([ccy, each]) => [ccy, each.toString()] as const).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
}

function unitsOf(texts: UnitsByCcy): Map<string, bigint> {
  return new Map(texts.map(([ccy, each]) => [ccy, BigInt(each)]));
}
