/** Why money moves. */
import { Codes } from "../codes.ts";

export interface PostingTraits {
  /** The statement's word for it, in the contract's words; without it the posting changes no total and is not shown. */
  readonly statement?: string | undefined;
}

/**
 * Kinds of postings; a part declares its own, and enters their names in `PostingKinds`. A record has five bits for the
 * number.
 */
export const POSTINGS = new Codes<PostingTraits>("posting", 31);

export const POSTING = POSTINGS.declare({
  freeze: { code: 0 },
  release: { code: 1 },
  trade: { code: 2, statement: "trade" },
  fee: { code: 3, statement: "fee" },
  deposit: { code: 4, statement: "deposit" },
  adjust: { code: 5, statement: "adjust" },
  transfer: { code: 6, statement: "transfer" },
  pnl: { code: 7, statement: "trade" },
  /** Between the cash of a futures account and the margin of a position. */
  margin: { code: 8, statement: "transfer" },
  insurance: { code: 9, statement: "liquidation" },
  funding: { code: 10, statement: "funding" },
  settle: { code: 11, statement: "settle" },
  liquidation: { code: 12, statement: "liquidation" },
});

type Own = typeof POSTING;

/** The names of all postings. */
export interface PostingKinds extends Own {}

export type PostingKind = keyof PostingKinds;

/** The kind of posting of this number. */
export function postingKind(code: number): PostingKind {
  return POSTINGS.nameOf(code) as PostingKind;
}

/** Returns the statement's word for a posting; undefined when the statement does not show it. */
export function statementWord(kind: PostingKind): string | undefined {
  return POSTINGS.traitsOf(POSTINGS.codeOf(kind)).statement;
}

/** Returns the kinds of postings that the statement calls `word`. */
export function postingsCalled(word: string): PostingKind[] {
  return POSTINGS.those(({ statement }) => statement === word) as PostingKind[];
}
