/** Why money moves. */
import { Numbered } from "../numbered.ts";

export interface PostingTraits {
  /** The statement's word for it, in the contract's words; without it the posting changes no total and is not shown. */
  readonly statement?: string | undefined;
}

/**
 * Kinds of postings; a part declares its own, and enters their names in `PostingKinds`. A record has five bits for the
 * number.
 */
export const POSTINGS = new Numbered<PostingTraits>("posting", 31);

export const POSTING = POSTINGS.declare({
  freeze: { number: 0 },
  release: { number: 1 },
  trade: { number: 2, statement: "trade" },
  fee: { number: 3, statement: "fee" },
  deposit: { number: 4, statement: "deposit" },
  adjust: { number: 5, statement: "adjust" },
  transfer: { number: 6, statement: "transfer" },
  pnl: { number: 7, statement: "trade" },
  /** Between the cash of a futures account and the margin of a position. */
  margin: { number: 8, statement: "transfer" },
  insurance: { number: 9, statement: "liquidation" },
  funding: { number: 10, statement: "funding" },
  settle: { number: 11, statement: "settle" },
  liquidation: { number: 12, statement: "liquidation" },
});

type Own = typeof POSTING;

/** The names of all postings. */
export interface PostingKinds extends Own {}

export type PostingKind = keyof PostingKinds;

/** The kind of posting of this number. */
export function postingKind(number: number): PostingKind {
  return POSTINGS.nameOf(number) as PostingKind;
}

/** Returns the statement's word for a posting; undefined when the statement does not show it. */
export function statementWord(kind: PostingKind): string | undefined {
  return POSTINGS.traitsOf(POSTINGS.numberOf(kind)).statement;
}

/** Returns the kinds of postings that the statement calls `word`. */
export function postingsCalled(word: string): PostingKind[] {
  return POSTINGS.those(({ statement }) => statement === word) as PostingKind[];
}
