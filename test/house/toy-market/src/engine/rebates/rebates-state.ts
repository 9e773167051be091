import { Slot } from "../slot.ts";

export interface RebateSpec {
  readonly assetId: number;
  /** Units of the asset for each lot. */
  readonly unitsPerLot: number;
}

/** By market, in order of listing. */
export const rebates = new Slot(() => new Map<number, RebateSpec>());
