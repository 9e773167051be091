/**
 * Where keys, tokens and nonces come from. In a fixed world they follow from the seed: such a venue is for one machine
 * and for play money, and the settings see to that.
 */
import { createHmac, randomBytes } from "node:crypto";

export interface Chance {
  bytes(count: number): Buffer;
}

/** A place in a row of seeded bytes. */
export interface ChancePlace {
  readonly purpose: string;
  readonly blocks: number;
}

/** Random bytes that nobody can guess. */
export const REAL_CHANCE: Chance = { bytes: (count) => randomBytes(count) };

/** The same bytes, in the same order, for the same seed and purpose. Everybody who knows both knows them. */
export class SeededChance implements Chance {
  readonly #seed: number;
  #purpose: string;
  #blocks = 0;

  /** Two purposes have nothing to do with each other. */
  constructor(seed: number, purpose: string) {
    this.#seed = seed;
    this.#purpose = purpose;
  }

  /** How far it is, for `goTo`. */
  get place(): ChancePlace {
    return { purpose: this.#purpose, blocks: this.#blocks };
  }

  /** Goes on from a place, so that the same bytes come again. */
  goTo({ purpose, blocks }: ChancePlace): void {
    this.#purpose = purpose;
    this.#blocks = blocks;
  }

  bytes(count: number): Buffer {
    const blocks: Buffer[] = [];
    for (let left = count; left > 0; left -= 32) {
      blocks.push(
        createHmac("sha256", `bourse ${this.#seed} ${this.#purpose}`)
          .update(String(this.#blocks++))
          .digest(),
      );
    }
    return Buffer.concat(blocks).subarray(0, count);
  }
}
