/** What whoever starts a venue from a program may say about it. */

/** Levels of the structured log on standard error. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** All may be left out. What is named in no field can be set under `settings`. */
export interface StartOptions {
  /** Folder that keeps the venue; unless given it lives in memory and leaves nothing behind. */
  readonly data?: string;
  /** Port of the API; a free one unless given. */
  readonly port?: number;
  /** Port of the operator's interface; a free one unless given. */
  readonly adminPort?: number;
  /** Seed of prices and of the keys of fixed accounts; 1 unless given. */
  readonly seed?: number;
  /** When the venue's time begins, as ISO 8601 with its zone, in ms or as a Date; the clock is then one that is moved by the operator. */
  readonly startTime?: string | number | Date;
  /** Whether the venue's time stands still until the operator moves it. */
  readonly frozen?: boolean;
  /** `virtual`: time runs, and the operator can stop, move and speed it up. */
  readonly clock?: "real" | "virtual";
  /** Whether simulated makers and takers are at work; true unless given. */
  readonly makers?: boolean;
  /** How far back candles, deals and fundings reach that the market makes at the start, such as `7d`; none unless given, since it takes time. */
  readonly past?: string;
  /** Whether there are limits to what addresses and accounts may ask for; true unless given. */
  readonly limits?: boolean;
  /** Whether ids, keys and the operator's token follow from the seed; `fixed` unless given. */
  readonly accounts?: "fixed" | "random";
  /** Least level of what goes to standard error; `error` unless given. */
  readonly logLevel?: LogLevel;
  /** Further settings by the names that `bourse start --help` lists, such as `{ "ip-rate": 1000 }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /**
   * Whether the venue runs in a process of its own, which ends with this one. It does so too where this Node is older than 24. Else it runs
   * within this process, beside your program.
   */
  readonly child?: boolean;
  /** Hears when the venue failed while it ran; from then on it acknowledges nothing. What went wrong is in the log, too. */
  readonly onFault?: (fault: Error) => void;
}

/** What is said of a start, by the names of settings. */
export type Given = Readonly<Record<string, unknown>>;

export function givenOf(options: StartOptions): Given {
  const { data = ":memory:", port = 0, adminPort = 0, logLevel = "error", past = "0", startTime, settings } = options;
  const { seed, frozen, clock, makers, limits, accounts } = options;
  const given = {
    ...{ data, port, seed, frozen, clock, makers, past, limits, accounts },
    "admin-port": adminPort,
    "log-level": logLevel,
    "start-time": startTime instanceof Date ? startTime.getTime() : startTime,
    ...settings,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
