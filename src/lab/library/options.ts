/** The options of a start from a program, and their checks. */

import { didYouMean } from "../../gateway/request/similar-name.ts";
import { isRecord } from "../../venue/setting-values.ts";

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
  /**
   * When the venue's time begins, as ISO 8601 with its zone, in ms or as a Date; the clock is then one that is moved by
   * the operator.
   */
  readonly startTime?: string | number | Date;
  /** Whether the venue's time stands still until the operator moves it. */
  readonly frozen?: boolean;
  /** `virtual`: time runs, and the operator can stop, move and speed it up. */
  readonly clock?: "real" | "virtual";
  /** Whether simulated makers and takers are at work; true unless given. */
  readonly makers?: boolean;
  /**
   * How far back candles, deals and fundings reach that the market makes at the start, such as `7d`; none unless given,
   * since it takes time.
   */
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
   * Whether the venue runs in a process of its own, which ends with this one. It does so too where this Node is older
   * than 24. Else it runs within this process, beside your program.
   */
  readonly child?: boolean;
  /**
   * Hears when the venue failed while it ran; from then on it acknowledges nothing. What went wrong is in the log, too.
   */
  readonly onFault?: (fault: Error) => void;
}

/** The options that a program gives for a start, in the form in which they travel to the venue's process. */
export interface Given {
  /** Values by the names of settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** How a setting is spelled in the program, where that is not its name. */
  readonly spelled: Readonly<Record<string, string>>;
}

/** The options that stand for a setting each, with its name. */
const SETTING_OF = {
  data: "data",
  port: "port",
  adminPort: "admin-port",
  seed: "seed",
  startTime: "start-time",
  frozen: "frozen",
  clock: "clock",
  makers: "makers",
  past: "past",
  limits: "limits",
  accounts: "accounts",
  logLevel: "log-level",
} as const satisfies Partial<Record<keyof StartOptions, string>>;

/** The settings of a venue of a test unless it is told otherwise. */
const DEFAULTS = { data: ":memory:", port: 0, adminPort: 0, past: "0", logLevel: "error" } as const;

/** The options that say more than a setting. */
const OTHERS = {
  settings: "an object with settings by their names",
  child: "true or false",
  onFault: "a function",
} as const satisfies Record<Exclude<keyof StartOptions, keyof typeof SETTING_OF>, string>;

const NAMES = [...Object.keys(SETTING_OF), ...Object.keys(OTHERS)];

/**
 * Checks the names of options; what their values may be is the settings' business. Throws a TypeError with a sentence.
 */
export function givenOf(options: StartOptions): Given {
  if (!isRecord(options))
    throw new TypeError("The options of startVenue must be an object, such as { makers: false }.");
  for (const name of Object.keys(options)) if (!NAMES.includes(name)) throw unknownOption(name);
  const { settings: further = {}, child, onFault } = options;
  if (!isRecord(further)) throw wrongOption("settings");
  if (child !== undefined && typeof child !== "boolean") throw wrongOption("child");
  if (onFault !== undefined && typeof onFault !== "function") throw wrongOption("onFault");

  const settings: Record<string, unknown> = {};
  const spelled: Record<string, string> = {};
  for (const [option, setting] of Object.entries(SETTING_OF) as [keyof typeof SETTING_OF, string][]) {
    const value = options[option];
    if (value !== undefined && Object.hasOwn(further, setting)) {
      throw new TypeError(`The option ${option} and the setting "${setting}" say the same: give one of them.`);
    }
    const given = value ?? (DEFAULTS as Partial<Record<typeof option, unknown>>)[option];
    if (given === undefined) continue;
    settings[setting] = given instanceof Date ? given.getTime() : given;
    spelled[setting] = option;
  }
  for (const [name, value] of Object.entries(further)) {
    if (value === undefined) continue;
    settings[name] = value;
    delete spelled[name];
  }
  return { settings, spelled };
}

function unknownOption(name: string): TypeError {
  return new TypeError(
    `startVenue has no option ${name}.${didYouMean(name, NAMES, (similar) => similar)} ` +
      'What bourse start --help lists besides is given by name, as in { settings: { "ip-rate": 1000 } }.',
  );
}

function wrongOption(name: keyof typeof OTHERS): TypeError {
  return new TypeError(`The option ${name} of startVenue must be ${OTHERS[name]}.`);
}
