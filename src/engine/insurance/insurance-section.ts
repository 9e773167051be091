import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type InsuranceRows, insuranceOf, lossOfRow } from "./insurance-state.ts";

/** Shares that insurance funds may lose, and their losses of the last hour and day. */
export const insuranceSection: Section = {
  name: "insurance",
  version: 1,
  write: (state) => [jsonChunk(insuranceOf.of(state).rows())],
  read: (state, [json]) => {
    const { shares, hours, days } = jsonOf(json) as InsuranceRows;
    const insurance = insuranceOf.of(state);
    insurance.shares = shares;
    for (const [marketId, assetId, losses] of hours) {
      const own = insurance.openHours({ cellKind: 0, marketId, assetId });
      own.push(...losses.map(lossOfRow));
    }
    for (const [cellKind, assetId, atMs, units] of days) {
      insurance.setDay({ cellKind, assetId }, { atMs, units: BigInt(units) });
    }
  },
};
