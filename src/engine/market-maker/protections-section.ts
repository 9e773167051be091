import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type Limit, Protection, protections } from "../trading/protections.ts";

interface Words {
  readonly userId: number;
  readonly marketId: number;
  readonly windowMs: number;
  readonly fills: number;
  readonly amount?: string | undefined;
  readonly delta?: string | undefined;
  readonly reached?: { readonly limit: Limit; readonly atMs: number } | undefined;
  readonly window: readonly (readonly [atMs: number, lots: string])[];
}

/**
 * Protections by ascending market id and user id, with the fills that they remember. The flags of users stand with
 * them.
 */
export const protectionsSection: Section = {
  name: "market-maker-protections",
  version: 1,
  write: (state) => [
    jsonChunk(
      protections
        .of(state)
        .all()
        .map((protection): Words => {
          const { userId, marketId, terms, reached, rows } = protection;
          const { windowMs, fills, amount, delta } = terms;
          return {
            userId,
            marketId,
            windowMs,
            fills,
            amount: amount?.toString(),
            delta: delta?.toString(),
            reached,
            window: rows.map(({ atMs, lots }) => [atMs, lots.toString()]),
          };
        }),
    ),
  ],
  read: (state, [json]) => {
    const own = protections.of(state);
    for (const { userId, marketId, windowMs, fills, amount, delta, reached, window } of jsonOf(json) as Words[]) {
      const lotsOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));
      const terms = { windowMs, fills, amount: lotsOf(amount), delta: lotsOf(delta) };
      const protection = new Protection(userId, marketId, terms);
      for (const [atMs, lots] of window) protection.add({ atMs, lots: BigInt(lots) });
      protection.reached = reached;
      own.set(protection);
    }
  },
};
