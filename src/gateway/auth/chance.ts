/**
 * Where keys, tokens and nonces come from. In a fixed world they follow from the seed: such a venue is for one machine and for
 * play money, and the settings see to that.
 */
import { createHmac, randomBytes } from "node:crypto";

export interface Chance {
  bytes(count: number): Buffer;
}

/** What nobody can guess. */
export const REAL_CHANCE: Chance = { bytes: (count) => randomBytes(count) };

/** The same bytes, in the same order, for the same seed and purpose. Everybody who knows both knows them. */
export class SeededChance implements Chance {
  readonly #key: string;
  #blocks = 0;

  /** Two purposes have nothing to do with each other. */
  constructor(seed: number, purpose: string) {
    this.#key = `bourse ${seed} ${purpose}`;
  }

  bytes(count: number): Buffer {
    const blocks: Buffer[] = [];
    for (let left = count; left > 0; left -= 32) {
      blocks.push(
        createHmac("sha256", this.#key)
          .update(String(this.#blocks++))
          .digest(),
      );
    }
    return Buffer.concat(blocks).subarray(0, count);
  }
}
