/**
 * The settings of a venue: where each comes from and what it may be. A setting has one name, usable as `--name value` and
 * as a key of the configuration file; what is given on the command line wins over the file, the file over the profile.
 */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { EvmTerms } from "../chains/chain-terms.ts";
import { isDecimal } from "../engine/money/decimal.ts";
import { isIpEntry } from "../gateway/auth/ip-whitelist.ts";
import { loadContract } from "../gateway/current/contract.ts";
import { PROXY_HEADERS, type ProxyTerms } from "../gateway/http/proxies.ts";
import { RATE_MAX } from "../gateway/limits/buckets.ts";
import { LONG_PERIODS, type LongPeriod, type RateSettings } from "../gateway/limits/figures.ts";
import { didYouMean } from "../gateway/request/similar-name.ts";
import { ADDRESS_EXPECTED, readAddress } from "../history/postgresql/address.ts";
import { FileRefused, readNamedFile } from "../log/plain-file.ts";
import {
  isShipped,
  type Listing,
  ListingError,
  readListing,
  SHIPPED_LISTINGS,
  shippedListing,
} from "../market/listing.ts";
import { CHAINS_EXPECTED, readChains } from "./chain-settings.ts";

export const PROFILES = ["dev", "production"] as const;
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type Profile = (typeof PROFILES)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Data directory of a venue that keeps nothing. */
export const IN_MEMORY = ":memory:";

/** A tebibyte: more is no threshold. */
const DISK_MIB_MAX = 1024 * 1024;

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
  /** Absolute path of the file with the key that secrets are sealed with; undefined: a key of this data directory's own. */
  readonly secretKey: string | undefined;
  /** What the venue's own backups are sealed with, and whether those that are not hold its secrets. */
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
  /** What a new dev venue lists; undefined: the small listing, with as many spot markets as `markets` says. */
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
  readonly proxies: ProxyTerms;
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
  readonly chains: ReadonlyMap<string, EvmTerms>;
  /** Whether all other chains are simulated. */
  readonly simulatedChains: boolean;
  /** Amounts by currency that are held outside of all chains. */
  readonly custodyElsewhere: ReadonlyMap<string, string>;
  /** What a venue does that finds less in custody than its ledger says. */
  readonly onShortfall: "halt" | "tell";
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

export interface SettingRow {
  readonly name: string;
  /** What the value looks like, for the help. */
  readonly values: string;
  readonly meaning: string;
  /** Defaults of the two profiles, in words where no value says it. */
  readonly dev: string;
  readonly production: string;
}

interface Setting extends SettingRow {
  /** Completes the sentence "The setting … must be …". */
  readonly expected: string;
  /** The value behind what a flag or the file holds; undefined when it is no such value. */
  read(raw: unknown): unknown;
  /** It may hold a password, and is not repeated when it is wrong. */
  readonly isSecret?: true;
}

const PORT_MAX = 65_535;
const API_PORT = 7400;
const ADMIN_PORT = 7401;
const SEED_MAX = 4_294_967_295;
const SNAPSHOT_EVERY_MIN = 1_000;
const SNAPSHOT_EVERY_MAX = 1_000_000_000;
const CONNECTIONS_MAX = 1_000_000;
const SERVICE_NAMES_MAX = 8;
const PROXIES_MAX = 256;
const SERVERS_MAX = 16;
const LONG_LIMIT_MAX = 1_000_000_000;
/** A hundred years: as good as any. */
const CLOCK_JUMP_MAX_MS = 3_155_760_000_000;
/** End of the year 9998, so that a clock can still be moved. */
const START_TIME_MAX_MS = 253_370_764_799_999;
const MARKETS_MIN = 3;
const MARKETS_MAX = 1_000;
const PAST_UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;
const PAST_MAX_MS = 366 * PAST_UNITS.d;
const LIFESPAN_MAX_MS = 86_400_000;
const LONG_PERIOD_NAMES = Object.keys(LONG_PERIODS) as LongPeriod[];

const table = {
  profile: {
    ...choice(PROFILES),
    meaning:
      "dev makes a venue with markets, accounts and a clock in your hand; production starts empty and locked down",
    dev: "dev",
    production: "dev",
  },
  config: {
    ...text("FILE", "the path of a file"),
    meaning: "configuration file: a JSON object with settings as keys",
    dev: "none",
    production: "must be given",
  },
  data: {
    ...text("DIR", "the path of a directory, or :memory:"),
    meaning: "directory of the log and all that belongs to it; :memory: keeps nothing",
    dev: "data",
    production: "data",
  },
  backups: {
    ...text("DIR", "the path of a directory"),
    meaning: "directory for the backups that the venue makes of itself; another disk is the better place",
    dev: "backups inside data",
    production: "backups inside data",
  },
  history: {
    read: readHistory,
    values: "ADDRESS",
    expected: ADDRESS_EXPECTED,
    isSecret: true,
    meaning:
      "PostgreSQL database that holds the history, such as postgres://user:password@host:5432/database; none: a file in the data directory",
    dev: "none",
    production: "none",
  },
  log: {
    read: readServers,
    values: "ADDRESS,…",
    expected: "addresses such as http://10.0.0.1:2379,http://10.0.0.2:2379, all http or all https, or none",
    isSecret: true,
    meaning:
      "etcd servers in which several nodes keep one log, that of this node's own machine first, as https://user:password@host:2379/prefix; none: this process holds the log alone",
    dev: "none",
    production: "none",
  },
  node: {
    read: readNodeName,
    values: "NAME",
    expected: "a name of 1 to 32 letters, digits and hyphens, or none",
    meaning: "name of this node among those that hold one log",
    dev: "none",
    production: "none",
  },
  "node-address": {
    read: readNodeAddress,
    values: "HOST:PORT",
    expected: "an address of this machine with a port, such as 10.0.0.1:7410, or none",
    meaning:
      "where the other nodes reach this one, in a network of their own; none: a free port of loopback, for nodes that are all on this machine",
    dev: "none",
    production: "none",
  },
  "log-ca": {
    ...text("FILE", "the path of a file"),
    meaning: "certificate in PEM of who signed those of the etcd servers",
    dev: "the system's",
    production: "the system's",
  },
  "log-cert": {
    ...text("FILE", "the path of a file"),
    meaning: "this node's certificate in PEM, for etcd servers that ask for one",
    dev: "none",
    production: "none",
  },
  "log-key": {
    ...text("FILE", "the path of a file"),
    meaning: "key in PEM of that certificate",
    dev: "none",
    production: "none",
  },
  "backup-recipient": {
    ...text("FILE", "the path of a file"),
    meaning: "X25519 public key (PEM) of whom the venue's own backups are sealed for",
    dev: "none",
    production: "none",
  },
  "backup-passphrase-file": {
    ...text("FILE", "the path of a file"),
    meaning:
      "file with the passphrase that they are sealed with instead; BOURSE_BACKUP_PASSPHRASE in the environment otherwise",
    dev: "none",
    production: "none",
  },
  "backup-secrets": {
    ...onOff(),
    meaning: "whether backups that are not sealed hold the key of the secrets, in clear text",
    dev: "off",
    production: "off",
  },
  "secret-key": {
    ...text("FILE", "the path of a file"),
    meaning:
      "file with the key that secrets are sealed with, 64 hexadecimal digits: the same for all nodes of a venue; else the systemd credential bourse-secret-key, or BOURSE_SECRET_KEY in the environment",
    dev: "secret.key inside data",
    production: "secret.key inside data",
  },
  host: {
    ...address("HOST"),
    meaning: "address on which the API listens",
    dev: "127.0.0.1",
    production: "127.0.0.1",
  },
  port: {
    ...whole("N", 0, PORT_MAX),
    meaning: "port of the API; 0 takes a free one",
    dev: String(API_PORT),
    production: String(API_PORT),
  },
  "admin-host": {
    ...address("HOST"),
    meaning: "address on which the admin interface listens",
    dev: "127.0.0.1",
    production: "127.0.0.1",
  },
  "admin-port": {
    ...whole("N", 0, PORT_MAX),
    meaning: "port of the admin interface; 0 takes a free one",
    dev: `${ADMIN_PORT}, or 0 when port is 0`,
    production: `${ADMIN_PORT}, or 0 when port is 0`,
  },
  clock: {
    ...choice(["real", "virtual"]),
    meaning: "virtual: time is frozen, moved and sped up through the admin interface; dev only",
    dev: "real",
    production: "real",
  },
  "start-time": {
    read: readTime,
    values: "TIME",
    expected: "a time such as 2026-01-01T00:00:00Z, or ms since 1970",
    meaning: "time at which the virtual clock of a new log begins; dev only",
    dev: "now",
    production: "now",
  },
  frozen: {
    ...onOff(),
    meaning: "the virtual clock stands still at first; dev only",
    dev: "off",
    production: "off",
  },
  listing: {
    ...text("FILE", "the path of a file, small or live"),
    meaning:
      "assets and markets of the dev profile, from a file or shipped: small, or live, which mirrors the exchange whose API this is; to be given at every start; dev only",
    dev: "small",
    production: "none",
  },
  markets: {
    ...whole("N", MARKETS_MIN, MARKETS_MAX),
    meaning:
      "spot markets of the dev profile: the first three have futures markets, those beyond the twelfth are quiet; dev only",
    dev: "3",
    production: "3",
  },
  past: {
    read: readPast,
    values: "TIME",
    expected: "a time such as 7d, 12h or 30m, a year at most, or 0",
    meaning:
      "how far back the candles, deals and fundings of a new venue reach that the simulated market makes at the first start; 0: no past; dev only",
    dev: "7d",
    production: "0",
  },
  accounts: {
    ...choice(["fixed", "random"]),
    meaning:
      "fixed: keys of the sample accounts, the operator's token and all that is made later follow from the seed; dev only, on a machine's own addresses",
    dev: "fixed on own addresses without proxies, else random",
    production: "random",
  },
  "clock-jump": {
    ...whole("MS", 0, CLOCK_JUMP_MAX_MS),
    meaning:
      "how far, in ms, the machine's clock may jump ahead, and the log's last time be ahead of it at the start; more is refused",
    dev: "5000",
    production: "5000",
  },
  makers: {
    ...onOff(),
    meaning: "simulated index prices, market makers and takers; dev only",
    dev: "on",
    production: "off",
  },
  strict: {
    ...onOff(),
    meaning: "refuses what the exchange whose API this is is known to refuse, see docs/compat.md",
    dev: "off",
    production: "off",
  },
  compat: {
    ...onOff(),
    meaning: "concessions to existing clients in signatures, answers and refusals, see docs/compat.md",
    dev: "on",
    production: "off",
  },
  legacy: {
    ...onOff(),
    meaning:
      "the older generation of the API: /v1 and /perpetual/v1, signed by MD5 and SHA-256, and its sockets at / and /perpetual",
    dev: "on",
    production: "off",
  },
  limits: {
    ...onOff(),
    meaning: "rate limits of addresses and accounts",
    dev: "on",
    production: "on",
  },
  "ip-rate": {
    ...whole("N", 1, RATE_MAX),
    meaning: "requests and messages per second from one address",
    dev: "400",
    production: "400",
  },
  "group-rates": {
    read: readGroupRates,
    values: "JSON",
    expected: `a JSON object with names of rate groups and whole numbers from 1 to ${RATE_MAX}`,
    meaning:
      'requests per second of one account by group, such as {"spot:Cancel orders": 90}; what is not named keeps its rate',
    dev: "as in docs/rate-limits.md",
    production: "as in docs/rate-limits.md",
  },
  "long-limits": {
    read: readLongLimits,
    values: "P=N,P=N",
    expected: `periods of ${LONG_PERIOD_NAMES.join(", ")} with whole numbers from 1 to ${LONG_LIMIT_MAX}, or none`,
    meaning: "requests of a main account with its sub-accounts per window of the long cycle; none: no long cycle",
    dev: "1H=20000,4H=60000,8H=100000,24H=200000",
    production: "1H=20000,4H=60000,8H=100000,24H=200000",
  },
  "long-effective-min": {
    ...share(),
    meaning: "share of orders that must be executed for orders to be of good quality",
    dev: "0.005",
    production: "0.005",
  },
  "long-lifespan-min": {
    ...whole("MS", 0, LIFESPAN_MAX_MS),
    meaning: "mean life, in ms, from which orders are of good quality",
    dev: "1000",
    production: "1000",
  },
  quotas: {
    read: readQuotas,
    values: "URL",
    expected: "a URL such as redis://:password@quotas.example.com:6379/0, or none",
    isSecret: true,
    meaning:
      "Redis or Valkey server on which all nodes that name it share the quotas of addresses and accounts; none: those of this process",
    dev: "none",
    production: "none",
  },
  seed: {
    ...whole("N", 0, SEED_MAX),
    meaning: "seed of the simulated market and of fixed accounts: the same seed makes the same prices and keys",
    dev: "1",
    production: "1",
  },
  "service-names": {
    read: readServiceNames,
    values: "A,B",
    expected: `1 to ${SERVICE_NAMES_MAX} names of letters and digits, joined by commas`,
    meaning: "service part of the signature headers, SVC in X-SVC-KEY; several are accepted side by side",
    dev: "SVC,COINEX with compat, else SVC",
    production: "SVC,COINEX with compat, else SVC",
  },
  "log-level": {
    ...choice(LOG_LEVELS),
    values: "LEVEL",
    meaning: `least level of the structured log on standard error: ${LOG_LEVELS.join(", ")}`,
    dev: "info",
    production: "info",
  },
  "log-format": {
    ...choice(LOG_FORMATS),
    meaning: "form of that log: lines for people, or a JSON object a line",
    dev: "text on a terminal, else json",
    production: "text on a terminal, else json",
  },
  "disk-low": {
    ...whole("MIB", 0, DISK_MIB_MAX),
    meaning: "free room on the disk of the data directory, in MiB, below which the venue takes only cancels; 0: never",
    dev: "64",
    production: "1024",
  },
  "disk-min": {
    ...whole("MIB", 0, DISK_MIB_MAX),
    meaning: "free room, in MiB, below which the venue takes nothing and does not start; at most disk-low; 0: never",
    dev: "16",
    production: "256",
  },
  "snapshot-every": {
    ...whole("N", SNAPSHOT_EVERY_MIN, SNAPSHOT_EVERY_MAX),
    meaning: "commands from one snapshot of the state to the next",
    dev: "1000000",
    production: "1000000",
  },
  "connections-per-address": {
    ...whole("N", 1, CONNECTIONS_MAX),
    meaning: "open connections of one address to the API; more are closed; the machine's own addresses are not counted",
    dev: "1000",
    production: "1000",
  },
  "trusted-proxies": {
    read: readAddresses,
    values: "ADDRESS,…",
    expected: "addresses or networks such as 127.0.0.1 or 10.0.0.0/8, joined by commas, or none",
    meaning:
      "proxies in front of the API whose word is taken for who a client is: for limits, IP lists of keys and logs",
    dev: "none",
    production: "none",
  },
  "proxy-header": {
    ...choice(PROXY_HEADERS),
    meaning: "the header in which trusted proxies say so; the other one is not looked at",
    dev: "x-forwarded-for",
    production: "x-forwarded-for",
  },
  "sign-up": {
    ...onOff(),
    meaning: "whether people make accounts themselves; in production it needs smtp and web-origin",
    dev: "on",
    production: "off",
  },
  smtp: {
    read: readSmtp,
    isSecret: true,
    values: "URL",
    expected: "a URL such as smtps://user:password@mail.example.com, or none",
    meaning:
      "server that mails to people go out over; without one, dev keeps them in the folder mail of its data, and production sends none",
    dev: "none",
    production: "none",
  },
  "mail-from": {
    ...text("ADDRESS", "an e-mail address, with or without a name"),
    meaning: "whom mails come from",
    dev: "bourse@localhost",
    production: "bourse@localhost",
  },
  "web-origin": {
    read: readOrigin,
    values: "ORIGIN",
    expected: "an origin such as https://trade.example.com, or none",
    meaning:
      "where people find the venue's page: the only one that sessions serve, what links in mails lead to, and whose passkeys count",
    dev: "none",
    production: "none",
  },
  "four-eyes": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies with amounts, joined by commas, such as BTC=1,USDT=50000, or none",
    meaning:
      "amounts above which operators move money only by twos: the bounds of a venue that has none yet, later changed by bourse four-eyes set; with it changes of operators take two, too",
    dev: "none",
    production: "none",
  },
  "four-eyes-day": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies of four-eyes with amounts, joined by commas, such as BTC=5,USDT=200000, or none",
    meaning: "likewise, what all operators together move in a day (UTC); five times four-eyes unless given",
    dev: "none",
    production: "none",
  },
  "four-eyes-recipient": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies of four-eyes with amounts, joined by commas, such as BTC=2,USDT=80000, or none",
    meaning: "likewise, what one user or cell is given in a day (UTC); as four-eyes unless given",
    dev: "none",
    production: "none",
  },
  "reopen-authority": {
    ...onOff(),
    meaning:
      "at this start the tokens of all administrators end and root lets operators in alone, as at the first start: for a venue whose administrators are lost",
    dev: "off",
    production: "off",
  },
  "withdraw-review": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies with amounts, joined by commas, such as BTC=1,USDT=50000, or none",
    meaning: "amounts above which a withdrawal waits for an operator; above those of four-eyes it waits for two",
    dev: "none",
    production: "none",
  },
  chains: {
    read: readChains,
    values: "JSON",
    expected: CHAINS_EXPECTED,
    meaning: "chains that money comes over and leaves over, by name, with their nodes and thresholds; see Chains below",
    dev: "none",
    production: "none",
  },
  "simulated-chains": {
    ...onOff(),
    meaning: "chains of listings that have no nodes are simulated; dev only",
    dev: "on",
    production: "off",
  },
  "custody-elsewhere": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies with amounts, joined by commas, such as BTC=1,USDT=50000, or none",
    meaning: "what the venue holds outside of all chains, such as at a bank: counted when custody is reconciled",
    dev: "none",
    production: "none",
  },
  "on-shortfall": {
    ...choice(["halt", "tell"]),
    meaning:
      "when chains hold less than the ledger says: halt withdrawals over chains until an operator resumes them, or only tell",
    dev: "tell",
    production: "halt",
  },
} satisfies Record<string, Omit<Setting, "name">>;

export type SettingName = keyof typeof table;

/** Settings that are paths, and start at the folder of what names them. */
const FILES = [
  "listing",
  "secret-key",
  "log-ca",
  "log-cert",
  "log-key",
  "backup-recipient",
  "backup-passphrase-file",
] as const;
const PATHS: ReadonlySet<string> = new Set<SettingName>(["data", "backups", ...FILES]);

const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  Object.entries(table).map(([name, setting]) => [name, { name, ...setting }]),
);

/** What there is to set, for the command line's help and the documents. */
export const SETTING_ROWS: readonly SettingRow[] = [...SETTINGS.values()];

/** What is compiled is a package among others, whose folder npm makes anew when it likes. */
const IS_PACKAGE = import.meta.url.endsWith(".js");

/** The directory that `data` means when nobody names one, in words. */
export const DATA_DEFAULT = IS_PACKAGE ? "bourse-data in the working directory" : "data beside the program";

/** That directory: beside the program, wherever it is called from; that of a package in the working directory. */
export function defaultDataDir(): string {
  return IS_PACKAGE ? resolve("bourse-data") : fileURLToPath(new URL("../../data", import.meta.url));
}

/** How a setting is spelled where it was given: `--port` on the command line. */
export type Spelling = (name: string) => string;

const AS_FLAG: Spelling = (name) => `--${name}`;
const AS_KEY: Spelling = (name) => JSON.stringify(name);

/**
 * The settings of a start. `given` holds what the command line or a program names, by setting name, and `spelled` says how it is written
 * there; relative paths in it start at the working directory, those in the configuration file at the file's own folder. Throws SettingsError.
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
    cluster: clusterOf(value("log"), value("node"), value("node-address"), {
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
      "Fixed accounts have keys that everybody can work out: they are for the dev profile on addresses of this machine, such as 127.0.0.1.",
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
      "A venue that keeps nothing has no log that a history in PostgreSQL could be read again from; name a directory with data, or leave history out.",
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
      "Several nodes must open the same secrets: give each the same file with secret-key. One is made by: openssl rand -hex 32.",
    );
  }
}

function clusterOf(
  servers: readonly string[],
  node: string,
  address: string,
  tls: ClusterSettings["tls"],
): ClusterSettings | undefined {
  if (servers.length === 0) {
    if (node !== "" || address !== "" || Object.values(tls).some((file) => file !== undefined)) {
      throw new SettingsError(
        "The settings node, node-address, log-ca, log-cert and log-key belong to log, which names no servers.",
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
      "Nodes on several machines must reach each other: set node-address to an address of this machine, such as 10.0.0.1:7410.",
    );
  }
  return { servers, node, address: addressOf(address === "" ? "127.0.0.1:0" : address), tls };
}

function addressOf(text: string): ClusterSettings["address"] {
  const at = text.lastIndexOf(":");
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(text.slice(at + 1)) };
}

/** The listing of that name or in that file, as a setting: the small one is there without. */
/** The shipped one of 70 markets has 50 KiB. */
const LISTING_MIB_MAX = 4;

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

/** ms, of a number of days, hours or minutes. */
function readPast(raw: unknown): number | undefined {
  if (raw === "0" || raw === 0) return 0;
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(String(raw)) ?? [];
  const ms = Number(count) * (PAST_UNITS[unit as keyof typeof PAST_UNITS] ?? 0);
  return ms > 0 && ms <= PAST_MAX_MS ? ms : undefined;
}

/** ms since 1970, of them or of a time with its zone. */
function readTime(raw: unknown): number | undefined {
  const isMs = typeof raw === "number" || (typeof raw === "string" && /^\d+$/.test(raw));
  const isTime =
    typeof raw === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))$/.test(raw);
  const ms = isMs ? Number(raw) : isTime ? Date.parse(raw as string) : Number.NaN;
  return Number.isSafeInteger(ms) && ms > 0 && ms <= START_TIME_MAX_MS ? ms : undefined;
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

type Form = Pick<Setting, "values" | "expected" | "read">;

function text(values: string, expected: string): Form {
  return { values, expected, read: (raw) => (typeof raw === "string" && raw !== "" ? raw : undefined) };
}

function address(values: string): Form {
  const isAddress = (raw: unknown) => typeof raw === "string" && /^[A-Za-z0-9.:-]{1,253}$/.test(raw);
  return { values, expected: "an IP address or a host name", read: (raw) => (isAddress(raw) ? raw : undefined) };
}

function choice(names: readonly string[]): Form {
  return {
    values: names.join("|"),
    expected: `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
    read: (raw) => (names.includes(raw as string) ? raw : undefined),
  };
}

/** In the file also true and false. */
function onOff(): Form {
  const read = (raw: unknown) => {
    if (raw === "on" || raw === true) return true;
    return raw === "off" || raw === false ? false : undefined;
  };
  return { values: "on|off", expected: "on or off", read };
}

function whole(values: string, min: number, max: number): Form {
  const read = (raw: unknown) => {
    const number = typeof raw === "string" && /^\d{1,16}$/.test(raw) ? Number(raw) : raw;
    return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max ? number : undefined;
  };
  return { values, expected: `a whole number from ${min} to ${max}`, read };
}

/** A share of the whole with up to four decimals, read as units of 10^-4. */
function share(): Form {
  const read = (raw: unknown) =>
    /^(?:0(?:\.\d{1,4})?|1)$/.test(String(raw)) ? Math.round(Number(raw) * 10_000) : undefined;
  return { values: "SHARE", expected: "a share from 0 to 1 with at most 4 decimals", read };
}

/** An object in the file, its JSON text on the command line. */
function readGroupRates(raw: unknown): ReadonlyMap<string, number> | undefined {
  const known = new Set(loadContract().rateGroups.map(({ name }) => name));
  return readFigures(typeof raw === "string" ? jsonOf(raw) : raw, known, RATE_MAX);
}

/** An object in the file, or pairs joined by commas. */
function readAmounts(raw: unknown): ReadonlyMap<string, string> | undefined {
  if (raw === "none" || raw === "") return new Map();
  const pairs = typeof raw === "string" ? raw.split(",").map((pair) => pair.split("=")) : undefined;
  if (pairs?.some((pair) => pair.length !== 2)) return undefined;
  const entries =
    pairs ?? (typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw) : [[]]);
  const isPair = ([ccy, amount]: readonly unknown[]) =>
    /^[A-Z0-9]{1,20}$/.test(String(ccy)) && isDecimal(String(amount));
  return entries.every(isPair) ? new Map(entries.map(([ccy, amount]) => [String(ccy), String(amount)])) : undefined;
}

/** An object in the file, or pairs joined by commas. */
function readLongLimits(raw: unknown): ReadonlyMap<string, number> | undefined {
  if (raw === "none") return new Map();
  const pairs = typeof raw === "string" ? raw.split(",").map((pair) => pair.split("=")) : undefined;
  if (pairs?.some((pair) => pair.length !== 2)) return undefined;
  return readFigures(pairs === undefined ? raw : Object.fromEntries(pairs), new Set(LONG_PERIOD_NAMES), LONG_LIMIT_MAX);
}

/** Whole numbers from 1 to `max` by name; undefined when something is no such thing. */
function readFigures(raw: unknown, known: ReadonlySet<string>, max: number): ReadonlyMap<string, number> | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const { read } = whole("N", 1, max);
  const figures = Object.entries(raw).map(([name, figure]) => [name, read(figure) as number | undefined] as const);
  const areSound = figures.every(([name, figure]) => known.has(name) && figure !== undefined);
  return areSound ? new Map(figures as [string, number][]) : undefined;
}

/** "" stands for none. */
function readOrigin(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^https?:\/\//.test(raw) || !URL.canParse(raw)) return undefined;
  return new URL(raw).origin === raw ? raw : undefined;
}

/** "" stands for none. */
function readHistory(raw: unknown): string | undefined {
  return raw === "none" ? "" : readAddress(raw);
}

/** A text with commas or, in the file, a list; empty for none. */
function readServers(raw: unknown): readonly string[] | undefined {
  if (raw === "none") return [];
  const servers: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isServer = (one: unknown) =>
    typeof one === "string" &&
    /^https?:\/\/(?:[^\s/@]+@)?[^\s/@]+(?:\/[A-Za-z0-9._/-]*)?$/.test(one) &&
    URL.canParse(one);
  return servers.length > 0 && servers.length <= SERVERS_MAX && servers.every(isServer)
    ? (servers as string[])
    : undefined;
}

const NODE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/;

/** "" stands for none. */
function readNodeName(raw: unknown): string | undefined {
  if (raw === "none") return "";
  return typeof raw === "string" && NODE_NAME.test(raw) ? raw : undefined;
}

/** "" stands for none. */
function readNodeAddress(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^(?:\[[0-9a-fA-F:]+\]|[^\s:[\]/]+):\d{1,5}$/.test(raw)) return undefined;
  return addressOf(raw).port <= 65_535 ? raw : undefined;
}

/** "" stands for none. */
function readSmtp(raw: unknown): string | undefined {
  if (raw === "none") return "";
  return typeof raw === "string" && /^smtps?:\/\/[^\s/]+/.test(raw) && URL.canParse(raw) ? raw : undefined;
}

/** "" stands for none. */
function readQuotas(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^rediss?:\/\/[^\s/?#]+(?:\/\d{0,4})?$/.test(raw) || !URL.canParse(raw))
    return undefined;
  const { hostname, username, password } = new URL(raw);
  return hostname !== "" && isEncoded(username) && isEncoded(password) ? raw : undefined;
}

/** Whether what is percent-encoded in a text stands for something. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text with commas or, in the file, a list. Headers are compared without regard to case, so one spelling is kept. */
function readAddresses(raw: unknown): readonly string[] | undefined {
  if (raw === "none") return [];
  const entries: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isEntry = (entry: unknown): entry is string => typeof entry === "string" && isIpEntry(entry);
  return entries.length > 0 && entries.length <= PROXIES_MAX && entries.every(isEntry) ? entries : undefined;
}

function readServiceNames(raw: unknown): readonly string[] | undefined {
  const names: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isName = (name: unknown) => typeof name === "string" && /^[A-Za-z0-9]{1,32}$/.test(name);
  if (names.length === 0 || names.length > SERVICE_NAMES_MAX || !names.every(isName)) return undefined;
  return [...new Set(names.map((name) => (name as string).toUpperCase()))];
}
