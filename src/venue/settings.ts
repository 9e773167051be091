/**
 * The settings of a venue: where each comes from and what it may be. A setting has one name, usable as `--name value`
 * and as a key of the configuration file; what is given on the command line wins over the file, the file over the
 * profile.
 */
import { dirname, resolve } from "node:path";
import type { EvmOptions } from "../chains/chain-terms.ts";
import type { ProxyOptions } from "../gateway/http/proxies.ts";
import type { RateSettings } from "../gateway/limits/figures.ts";
import { didYouMean } from "../gateway/request/similar-name.ts";
import {
  isShipped,
  type Listing,
  ListingError,
  readListing,
  SHIPPED_LISTINGS,
  shippedListing,
} from "../listing/listing.ts";
import { FileRefused, readNamedFile } from "../log/plain-file.ts";
import {
  ADMIN_PORT,
  defaultDataDir,
  type LogFormat,
  type LogLevel,
  PATHS,
  type Profile,
  SETTINGS,
  type Setting,
  type SettingName,
} from "./setting-table.ts";
import { addressOf } from "./setting-values.ts";

export {
  DATA_DEFAULT,
  defaultDataDir,
  type LogFormat,
  type LogLevel,
  type Profile,
  SETTING_ROWS,
  type SettingName,
  type SettingRow,
} from "./setting-table.ts";

/** Data directory of a venue that keeps nothing. */
export const IN_MEMORY = ":memory:";

export interface Settings {
  readonly profile: Profile;
  /** The file that was read; undefined when there is none. */
  readonly config: string | undefined;
  /** Absolute path, or `:memory:`. */
  readonly data: string;
  /** Absolute path of the folder for backups; undefined: inside the data directory. */
  readonly backups: string | undefined;
  /** Address of the database that holds the history; undefined: a file inside the data directory. */
  readonly history: string | undefined;
  /** The nodes that hold one log, this one among them; undefined: this process holds it alone. */
  readonly cluster: ClusterSettings | undefined;
  /**
   * Absolute path of the file with the key that secrets are sealed with; undefined: a key of this data directory's own.
   */
  readonly secretKey: string | undefined;
  /**
   * The recipient or the passphrase that the venue's own backups are sealed with, and whether unsealed ones hold its
   * secrets.
   */
  readonly backup: {
    readonly recipient: string | undefined;
    readonly passphraseFile: string | undefined;
    readonly withSecrets: boolean;
  };
  readonly host: string;
  /** 0 = any free one; so with `adminPort`. */
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  readonly clock: "real" | "virtual";
  /** Time at which a new log begins, ms; undefined: now. Only on a virtual clock, which it implies. */
  readonly startTimeMs: number | undefined;
  /** Whether the virtual clock, which it implies, stands still at first. */
  readonly frozen: boolean;
  /** The listing of a new dev venue; undefined: the small listing, with as many spot markets as `markets` says. */
  readonly listing: Listing | undefined;
  /** Spot markets that a new dev venue has. */
  readonly markets: number;
  /** ms before its beginning that a new dev venue with makers lives through at its first start. */
  readonly pastMs: number;
  /** Whether the keys of the sample accounts and the operator's token follow from the seed. */
  readonly accounts: "fixed" | "random";
  /** ms that the machine's clock may jump ahead. */
  readonly clockJumpMs: number;
  /** Simulated index sources, market makers and takers. */
  readonly makers: boolean;
  readonly compat: boolean;
  /** Whether what the live venue is known to refuse is refused, too. */
  readonly strict: boolean;
  readonly legacy: boolean;
  readonly limits: boolean;
  /** Figures of the limits that differ from the contract's. */
  readonly rates: RateSettings;
  /** The server that quotas are shared on; undefined: they are those of this process. */
  readonly quotas: string | undefined;
  /** Of everything random in the simulated market. */
  readonly seed: number;
  /** The SVC of the signature headers `X-SVC-KEY` and so on. */
  readonly serviceNames: readonly string[];
  readonly logLevel: LogLevel;
  /** Undefined: lines for people on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** Commands from one snapshot to the next. */
  readonly snapshotEvery: number;
  /** MiB of free disk below which the venue takes only cancels, and below which it takes nothing; 0: never. */
  readonly diskLow: number;
  readonly diskMin: number;
  /** Proxies in front of the API, and the header in which they say who a client is. */
  readonly proxies: ProxyOptions;
  /** Open connections of one address to the API. */
  readonly connectionsPerAddress: number;
  /** Whether people make accounts themselves. */
  readonly signUp: boolean;
  /** The server that mails go out over; undefined without one. */
  readonly smtp: string | undefined;
  readonly mailFrom: string;
  /** Where people find the venue's page; undefined: at whatever host they ask. */
  readonly webOrigin: string | undefined;
  /** The bounds of four eyes in a venue that has none yet, by currency, as decimals; empty: none. */
  readonly fourEyes: FourEyesSettings;
  /** Whether this start lets one person make operators again. */
  readonly reopensAuthority: boolean;
  /** Likewise, above which a withdrawal waits for an operator. */
  readonly withdrawReview: ReadonlyMap<string, string>;
  /** Chains that are reached over nodes, by name. */
  readonly chains: ReadonlyMap<string, EvmOptions>;
  /** Whether all other chains are simulated. */
  readonly simulatedChains: boolean;
  /** Amounts by currency that are held outside of all chains. */
  readonly custodyElsewhere: ReadonlyMap<string, string>;
  /** The action of a venue that finds less in custody than its ledger says. */
  readonly onShortfall: "halt" | "tell";
  /** How often the venue counts what it owes its users; 0: never by itself. */
  readonly liabilitiesEveryMs: number;
}

export interface FourEyesSettings {
  /** In one call; */
  readonly call: ReadonlyMap<string, string>;
  /** in a day, and in a day to one recipient, of currencies that have a bound for a call. */
  readonly day: ReadonlyMap<string, string>;
  readonly recipient: ReadonlyMap<string, string>;
}

export interface ClusterSettings {
  /** Addresses of the etcd servers; the first is asked first. */
  readonly servers: readonly string[];
  /** Name of this node. */
  readonly node: string;
  /** Where other nodes reach it. */
  readonly address: { readonly host: string; readonly port: number };
  /** Absolute path of the folder that all nodes share, where sealed log goes; undefined: nowhere. */
  readonly archive: string | undefined;
  /** Files in PEM for the way to the etcd servers. */
  readonly tls: {
    readonly ca: string | undefined;
    readonly cert: string | undefined;
    readonly key: string | undefined;
  };
}

/** A setting is unknown, has a bad value or does not go with another. The message is a sentence for the operator. */
export class SettingsError extends Error {
  readonly code = "SETTINGS";
}

/** How a setting is spelled where it was given: `--port` on the command line. */
export type Spelling = (name: string) => string;

const AS_FLAG: Spelling = (name) => `--${name}`;
const AS_KEY: Spelling = (name) => JSON.stringify(name);

/**
 * The settings of a start. `given` holds what the command line or a program names, by setting name, and `spelled` says
 * how it is written there; relative paths in it start at the working directory, those in the configuration file at the
 * file's own folder. Throws SettingsError.
 */
export function settingsOf(given: Readonly<Record<string, unknown>>, spelled: Spelling = AS_FLAG): Settings {
  const flags = readAll(given, { spelled, place: "", folder: "" });
  const config = flags.get("config") as string | undefined;
  const file = config === undefined ? new Map<string, unknown>() : readConfig(config);
  const profile = (flags.get("profile") ?? file.get("profile") ?? "dev") as Profile;
  const value = <Value>(name: SettingName, otherwise: Value = defaultOf(name, profile) as Value): Value =>
    (flags.get(name) ?? file.get(name) ?? otherwise) as Value;
  /** A path that has no default. */
  const path = (name: SettingName) => (flags.get(name) ?? file.get(name)) as string | undefined;

  const compat = value<boolean>("compat");
  const port = value<number>("port");
  const host = value<string>("host");
  const adminHost = value<string>("admin-host");
  const trusted = value<readonly string[]>("trusted-proxies", []);
  const startTimeMs = value<number | undefined>("start-time", undefined);
  const frozen = value<boolean>("frozen");
  const isClustered = value<readonly string[]>("log").length > 0;
  const settings: Settings = {
    profile,
    config: config === undefined ? undefined : resolve(config),
    data: value("data", defaultDataDir()),
    backups: (flags.get("backups") ?? file.get("backups")) as string | undefined,
    history: value<string>("history") || undefined,
    cluster: clusterOf(value("log"), value("node"), value("node-address"), path("log-archive"), {
      ...{ ca: path("log-ca"), cert: path("log-cert"), key: path("log-key") },
    }),
    backup: {
      recipient: path("backup-recipient"),
      passphraseFile: path("backup-passphrase-file"),
      withSecrets: value("backup-secrets"),
    },
    secretKey: path("secret-key"),
    host,
    port,
    adminHost,
    adminPort: value("admin-port", port === 0 ? 0 : ADMIN_PORT),
    clock: value("clock", startTimeMs !== undefined || frozen ? "virtual" : "real"),
    startTimeMs,
    frozen,
    listing: listingOf((flags.get("listing") ?? file.get("listing")) as string | undefined),
    markets: value("markets"),
    // What several nodes read they live through together.
    pastMs: value("past", isClustered ? 0 : undefined),
    accounts: value(
      "accounts",
      profile === "dev" && isOwnAddress(host) && isOwnAddress(adminHost) && trusted.length === 0 ? "fixed" : "random",
    ),
    clockJumpMs: value("clock-jump"),
    makers: value("makers"),
    compat,
    strict: value("strict"),
    legacy: value("legacy"),
    limits: value("limits"),
    rates: {
      ipPerSecond: value("ip-rate"),
      groupsPerSecond: value("group-rates"),
      longLimits: value("long-limits"),
      longEffectiveMinE4: value("long-effective-min"),
      longLifespanMinMs: value("long-lifespan-min"),
    },
    quotas: value<string>("quotas") || undefined,
    seed: value("seed"),
    serviceNames: value("service-names", compat ? ["SVC", "COINEX"] : ["SVC"]),
    logLevel: value("log-level"),
    logFormat: value<LogFormat | undefined>("log-format", undefined),
    snapshotEvery: value("snapshot-every"),
    diskLow: value("disk-low"),
    diskMin: value("disk-min"),
    connectionsPerAddress: value("connections-per-address"),
    proxies: { trusted, header: value("proxy-header") },
    signUp: value("sign-up"),
    smtp: value<string>("smtp") || undefined,
    mailFrom: value("mail-from"),
    webOrigin: value<string>("web-origin") || undefined,
    fourEyes: { call: value("four-eyes"), day: value("four-eyes-day"), recipient: value("four-eyes-recipient") },
    reopensAuthority: value("reopen-authority"),
    withdrawReview: value("withdraw-review"),
    chains: value("chains"),
    simulatedChains: value("simulated-chains"),
    custodyElsewhere: value("custody-elsewhere"),
    onShortfall: value("on-shortfall"),
    liabilitiesEveryMs: value<number>("liabilities-every") * HOUR_MS,
  };
  refuseContradictions(settings);
  if (settings.listing !== undefined && (flags.has("markets") || file.has("markets"))) {
    throw new SettingsError("The number of markets belongs to the small listing; leave out markets, or listing.");
  }
  return settings;
}

function refuseContradictions(settings: Settings): void {
  if (settings.diskMin > settings.diskLow) {
    throw new SettingsError("Before it takes nothing a venue takes only cancels: disk-min is at most disk-low.");
  }
  const { profile, config, clock, makers, port, adminPort, host, adminHost } = settings;
  if (profile === "production") {
    if (config === undefined) {
      throw new SettingsError("The production profile needs a configuration file; name it with --config FILE.");
    }
    if (clock === "virtual") throw new SettingsError("The production profile runs on the real clock only.");
    if (makers) throw new SettingsError("The production profile has no simulated market; set makers to off.");
  }
  if (clock === "real" && (settings.startTimeMs !== undefined || settings.frozen)) {
    throw new SettingsError("Only a virtual clock begins at a start-time or frozen; set clock to virtual.");
  }
  if (profile === "production" && settings.listing !== undefined) {
    throw new SettingsError(
      "A listing is for the dev profile; in production list assets and markets yourself, and leave listing out.",
    );
  }
  if (profile === "production" && settings.pastMs > 0) {
    throw new SettingsError("The production profile has no simulated market and no past; set past to 0.");
  }
  for (const [name, bounds] of [
    ["four-eyes-day", settings.fourEyes.day],
    ["four-eyes-recipient", settings.fourEyes.recipient],
  ] as const) {
    const stray = [...bounds.keys()].find((ccy) => !settings.fourEyes.call.has(ccy));
    if (stray !== undefined)
      throw new SettingsError(`${name} names ${stray}, of which four-eyes has no amount; add it there.`);
  }
  if (settings.accounts === "fixed" && !(profile === "dev" && isOwnAddress(host) && isOwnAddress(adminHost))) {
    throw new SettingsError(
      "Fixed accounts have keys that everybody can work out: they are for the dev profile on addresses of this " +
        "machine, such as 127.0.0.1.",
    );
  }
  if (profile === "production" && settings.simulatedChains) {
    throw new SettingsError("The production profile has no simulated chains; set simulated-chains to off.");
  }
  if (profile === "production" && settings.signUp && settings.smtp === undefined) {
    throw new SettingsError("People who sign up are sent a link: sign-up needs smtp.");
  }
  if (profile === "production" && settings.smtp !== undefined && settings.webOrigin === undefined) {
    throw new SettingsError("Links in mails must lead to the venue and nowhere else: smtp needs web-origin.");
  }
  if (settings.history !== undefined && settings.data === IN_MEMORY) {
    throw new SettingsError(
      "A venue that keeps nothing has no log that a history in PostgreSQL could be read again from; name a " +
        "directory with data, or leave history out.",
    );
  }
  if (settings.cluster !== undefined) refuseUnfitForNodes(settings);
  if (settings.quotas !== undefined && !settings.limits) {
    throw new SettingsError("Quotas can be shared only where there are limits; set limits to on, or quotas to none.");
  }
  if (port !== 0 && port === adminPort && host === adminHost) {
    throw new SettingsError(`The API and the admin interface cannot both listen on port ${port}.`);
  }
}

function refuseUnfitForNodes({ data, clock, pastMs, secretKey }: Settings): void {
  if (data === IN_MEMORY) {
    throw new SettingsError(
      "Each of several nodes keeps a copy of the log on its disk: name a directory with data, or leave log out.",
    );
  }
  if (clock === "virtual")
    throw new SettingsError("Several nodes run on the real clock only; set clock to real, or leave log out.");
  if (pastMs > 0)
    throw new SettingsError(
      "Only a venue of one process lives through a past at its start; set past to 0, or leave log out.",
    );
  if (secretKey === undefined) {
    throw new SettingsError(
      "Several nodes must open the same secrets: give each the same file with secret-key. One is made by: " +
        "openssl rand -hex 32.",
    );
  }
}

function clusterOf(
  servers: readonly string[],
  node: string,
  address: string,
  archive: string | undefined,
  tls: ClusterSettings["tls"],
): ClusterSettings | undefined {
  if (servers.length === 0) {
    if (node !== "" || address !== "" || [archive, ...Object.values(tls)].some((path) => path !== undefined)) {
      throw new SettingsError(
        "The settings node, node-address, log-archive, log-ca, log-cert and log-key belong to log, which names " +
          "no servers.",
      );
    }
    return undefined;
  }
  if (node === "") throw new SettingsError("A log in etcd needs the name of this node: set node, another one at each.");
  if (servers.some((server) => new URL(server).protocol !== new URL(servers[0] as string).protocol))
    throw new SettingsError("The servers of log are all reached by http, or all by https.");
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw new SettingsError("A certificate needs its key: set both log-cert and log-key, or neither.");
  if (address === "" && servers.some((server) => !isOwnAddress(new URL(server).hostname.replace(/^\[|\]$/g, "")))) {
    throw new SettingsError(
      "Nodes on several machines must reach each other: set node-address to an address of this machine, such as " +
        "10.0.0.1:7410.",
    );
  }
  return { servers, node, address: addressOf(address === "" ? "127.0.0.1:0" : address), archive, tls };
}

const HOUR_MS = 3_600_000;
/** The shipped one of 70 markets has 50 KiB. */
const LISTING_MIB_MAX = 4;

/** The listing of that name or in that file, as a setting: the small one is there without. */
function listingOf(named: string | undefined): Listing | undefined {
  if (named === undefined || named === "small") return undefined;
  try {
    if (isShipped(named)) return shippedListing(named);
    return readListing(readNamedFile(named, LISTING_MIB_MAX).toString("utf8"), named);
  } catch (error) {
    if (error instanceof FileRefused) {
      const others = `name a file, or one of ${SHIPPED_LISTINGS.join(", ")}`;
      throw new SettingsError(`The listing cannot be read; ${others}. ${error.message}`, { cause: error });
    }
    if (error instanceof ListingError) throw new SettingsError(error.message, { cause: error });
    throw error;
  }
}

/** Whether nobody but this machine reaches a listener there. */
function isOwnAddress(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A configuration is written by a person; more is something else. */
const CONFIG_MIB_MAX = 1;

/** The settings of a configuration file. Only what stands in it; relative paths start at its folder. */
function readConfig(path: string): Map<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(readNamedFile(path, CONFIG_MIB_MAX).toString("utf8"));
  } catch (cause) {
    if (cause instanceof FileRefused) {
      throw new SettingsError(cause.message.replace(/^The file /, "The configuration file "), { cause });
    }
    const reason = cause instanceof SyntaxError ? "is no JSON" : "cannot be read";
    throw new SettingsError(`The configuration file ${path} ${reason}.`, { cause });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new SettingsError(`The configuration file ${path} must hold a JSON object.`);
  }
  if (Object.hasOwn(content, "config")) {
    throw new SettingsError(`The configuration file ${path} cannot name another one; remove the key "config".`);
  }
  return readAll(content, { spelled: AS_KEY, place: ` in ${path}`, folder: dirname(path) });
}

/** Where settings were given: how they are spelled there, and which folder relative paths start at. */
interface Source {
  readonly spelled: Spelling;
  /** Follows the name in sentences. */
  readonly place: string;
  readonly folder: string;
}

/** The one check of settings, whether the command line, the configuration file or a program names them. */
function readAll(raw: object, { spelled, place, folder }: Source): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, given] of Object.entries(raw)) {
    const subject = `The setting ${spelled(name)}${place}`;
    const setting = SETTINGS.get(name);
    if (setting === undefined) {
      throw new SettingsError(`${subject} does not exist.${didYouMean(name, SETTINGS.keys(), spelled)}`);
    }
    const value = setting.read(given);
    if (value === undefined) {
      const instead = setting.isSecret ? "" : `, not ${JSON.stringify(given)}`;
      throw new SettingsError(`${subject} must be ${setting.expected}${instead}.`);
    }
    values.set(
      name,
      PATHS.has(name) && value !== IN_MEMORY && !isShipped(String(value)) ? resolve(folder, value as string) : value,
    );
  }
  return values;
}

/** The profile's own value. Defaults that are worked out from other settings are given by the caller instead. */
function defaultOf(name: SettingName, profile: Profile): unknown {
  const setting = SETTINGS.get(name) as Setting;
  return setting.read(setting[profile]);
}
