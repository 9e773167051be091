/** What the run asks of everything that makes cases: HTTP requests now, any other way in beside it. */

export interface FuzzCase {
  /** What is called, for the tally. */
  readonly name: string;
  /** Sends it and judges what comes. */
  play(): Promise<Verdict>;
  /** Shell text that sends it again. */
  reproduction(): string;
}

export interface Verdict {
  /** Sentences about what no answer may be; empty when all is well. */
  readonly breaches: readonly string[];
  /** Nothing of it was granted: the state must be as before. */
  readonly refused: boolean;
  /** Whether a connection has ended, with which its orders may be cancelled. */
  readonly endsConnection?: boolean;
  /** The codes that were answered, for the tally. */
  readonly codes: readonly number[];
}

export interface FuzzSource {
  next(): FuzzCase;
  close(): void;
}
