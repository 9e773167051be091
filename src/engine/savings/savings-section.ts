import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { type InterestOfAsset, type SavedAsset, type Savings, savings } from "./savings-state.ts";

type Text<Value> = { readonly [Name in keyof Value]: Value[Name] extends bigint ? string : Value[Name] };

/** The state of savings beside the accounts. */
interface SavingsWords {
  readonly day: number;
  readonly nextAt: number;
  /** By ascending asset id. */
  readonly assets: readonly (Text<SavedAsset> & { readonly assetId: number })[];
  readonly round?: {
    readonly day: number;
    readonly nextRow: number;
    readonly endRow: number;
    readonly assets: readonly Text<InterestOfAsset>[];
  };
}

/** FINANCIAL accounts in order of creation, what currencies earn, and the midnight that is being booked. */
export const savingsSection: Section = {
  name: "savings",
  version: 1,
  write: (state) => {
    const { accounts } = savings.of(state);
    return [accounts.rowBytes(accounts.count), jsonChunk(wordsOf(savings.of(state)))];
  },
  read: (state, [rows, json]) => take(state, rows as Uint8Array, jsonOf(json) as SavingsWords),
};

function wordsOf({ day, nextAt, assets, round }: Savings): SavingsWords {
  const words = {
    day,
    nextAt,
    assets: [...assets]
      .sort(([one], [other]) => one - other)
      .map(([assetId, { dailyRateE8, saved, owed }]) => ({
        assetId,
        dailyRateE8,
        saved: saved.toString(),
        owed: owed.toString(),
      })),
  };
  if (round === undefined) return words;
  const terms = [...round.assets.values()].map(({ assetId, dailyRateE8, isPaid, left, paid }) => ({
    assetId,
    dailyRateE8,
    isPaid,
    left: left.toString(),
    paid: paid.toString(),
  }));
  return { ...words, round: { day: round.day, nextRow: round.nextRow, endRow: round.endRow, assets: terms } };
}

function take(state: State, rows: Uint8Array, { day, nextAt, assets, round }: SavingsWords): void {
  const own = savings.of(state);
  own.accounts.load(rows);
  own.day = day;
  own.nextAt = nextAt;
  for (const { assetId, dailyRateE8, saved, owed } of assets) {
    own.assets.set(assetId, { dailyRateE8, saved: BigInt(saved), owed: BigInt(owed) });
  }
  if (round === undefined) return;
  const terms = round.assets.map(({ assetId, dailyRateE8, isPaid, left, paid }) => {
    return [assetId, { assetId, dailyRateE8, isPaid, left: BigInt(left), paid: BigInt(paid) }] as const;
  });
  own.round = { day: round.day, nextRow: round.nextRow, endRow: round.endRow, assets: new Map(terms) };
}
