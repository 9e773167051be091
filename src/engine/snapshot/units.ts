/** Units by currency as sections write them. */
export type UnitsByCcy = readonly (readonly [ccy: string, units: string])[];

/** In the order of the map. */
export function textsOf(units: ReadonlyMap<string, bigint>): UnitsByCcy {
  return Array.from(units, ([ccy, each]) => [ccy, each.toString()] as const);
}

/** In the order of the currencies' names. */
export function sortedTextsOf(units: ReadonlyMap<string, bigint>): UnitsByCcy {
  return [...textsOf(units)].sort(([one], [other]) => (one < other ? -1 : 1));
}

export function unitsOf(texts: UnitsByCcy): Map<string, bigint> {
  return new Map(texts.map(([ccy, each]) => [ccy, BigInt(each)]));
}
