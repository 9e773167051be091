import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { chainBooks, type Payment, type Unswept } from "./chain-book.ts";

/** A chain as stored; payments in the order of their first signature, everything else by its key. */
interface Stored {
  readonly chain: string;
  readonly seedCipher: string;
  readonly height: number;
  readonly hash: string;
  readonly nonces: readonly (readonly [string, number])[];
  readonly payments: readonly Payment[];
  readonly unswept: readonly (readonly [string, Unswept])[];
}

export const chainSection: Section = {
  name: "chains",
  version: 1,
  write: (state) => {
    const stored = sorted(chainBooks.of(state)).map(([chain, book]): Stored => {
      const { seedCipher, height, hash, nonces, payments, unswept } = book;
      return {
        chain,
        seedCipher,
        height,
        hash,
        nonces: sorted(nonces),
        payments: [...payments.values()],
        unswept: sorted(unswept),
      };
    });
    return [jsonChunk(stored)];
  },
  read: (state, [json]) => {
    const books = chainBooks.of(state);
    for (const { chain, nonces, payments, unswept, ...rest } of jsonOf(json) as Stored[]) {
      const paid = new Map(payments.map((payment) => [payment.id, payment]));
      books.set(chain, { ...rest, nonces: new Map(nonces), payments: paid, unswept: new Map(unswept) });
    }
  },
};

function sorted<Value>(map: ReadonlyMap<string, Value>): (readonly [string, Value])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
