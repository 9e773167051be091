/** The settings: one row for each, with the values of the two profiles. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PROXY_HEADERS } from "../gateway/http/proxies.ts";
import { RATE_MAX } from "../gateway/limits/buckets.ts";
import { ADDRESS_EXPECTED } from "../history/postgresql/address.ts";
import { CHAINS_EXPECTED, readChains } from "./chain-settings.ts";
import {
  address,
  choice,
  type Form,
  LONG_LIMIT_MAX,
  LONG_PERIOD_NAMES,
  onOff,
  readAddresses,
  readAmounts,
  readBackfill,
  readGroupRates,
  readHistory,
  readLongLimits,
  readNodeAddress,
  readNodeName,
  readOrigin,
  readQuotas,
  readServers,
  readServiceNames,
  readSmtp,
  readTime,
  SERVICE_NAMES_MAX,
  share,
  text,
  whole,
} from "./setting-values.ts";

export const PROFILES = ["dev", "production"] as const;
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type Profile = (typeof PROFILES)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

const PORT_MAX = 65_535;
const API_PORT = 7400;
export const ADMIN_PORT = 7401;
const SEED_MAX = 4_294_967_295;
const SNAPSHOT_EVERY_MIN = 1_000;
const SNAPSHOT_EVERY_MAX = 1_000_000_000;
const CONNECTIONS_MAX = 1_000_000;
/** A month. */
const LIABILITIES_HOURS_MAX = 744;
/** A hundred years: as good as any. */
const CLOCK_JUMP_MAX_MS = 3_155_760_000_000;
const MARKETS_MIN = 3;
const MARKETS_MAX = 1_000;
const LIFESPAN_MAX_MS = 86_400_000;
/** A tebibyte: more is no threshold. */
const DISK_MIB_MAX = 1024 * 1024;

export interface SettingRow {
  readonly name: string;
  /** The form of the value, for the help. */
  readonly values: string;
  readonly meaning: string;
  /** Defaults of the two profiles, in words where no value says it. */
  readonly dev: string;
  readonly production: string;
}

export interface Setting extends SettingRow, Form {
  /** It may hold a password, and is not repeated when it is wrong. */
  readonly isSecret?: true;
}

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
      "PostgreSQL database that holds the history, such as postgres://user:password@host:5432/database; none: a " +
      "file in the data directory",
    dev: "none",
    production: "none",
  },
  log: {
    read: readServers,
    values: "ADDRESS,…",
    expected: "addresses such as http://10.0.0.1:2379,http://10.0.0.2:2379, all http or all https, or none",
    isSecret: true,
    meaning:
      "etcd servers in which several nodes keep one log, that of this node's own machine first, as " +
      "https://user:password@host:2379/prefix; none: this process holds the log alone",
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
      "where the other nodes reach this one, in a network of their own; none: a free port of loopback, for " +
      "nodes that are all on this machine",
    dev: "none",
    production: "none",
  },
  "log-archive": {
    ...text("DIR", "the path of a directory"),
    meaning: "directory that all nodes share, where each span of the log is kept that is complete",
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
      "file with the passphrase that they are sealed with instead; BOURSE_BACKUP_PASSPHRASE in the environment " +
      "otherwise",
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
      "file with the key that secrets are sealed with, 64 hexadecimal digits: the same for all nodes of a " +
      "venue; else the systemd credential bourse-secret-key, or BOURSE_SECRET_KEY in the environment",
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
      "assets and markets of the dev profile, from a file or shipped: small, or live, which mirrors the " +
      "exchange whose API this is; to be given at every start; dev only",
    dev: "small",
    production: "none",
  },
  markets: {
    ...whole("N", MARKETS_MIN, MARKETS_MAX),
    meaning:
      "spot markets of the dev profile: the first three have futures markets, those beyond the twelfth are " +
      "quiet; dev only",
    dev: "3",
    production: "3",
  },
  past: {
    read: readBackfill,
    values: "TIME",
    expected: "a time such as 7d, 12h or 30m, a year at most, or 0",
    meaning:
      "how far back the candles, deals and fundings of a new venue reach that the simulated market makes at the " +
      "first start; 0: no past; dev only",
    dev: "7d",
    production: "0",
  },
  accounts: {
    ...choice(["fixed", "random"]),
    meaning:
      "fixed: keys of the sample accounts, the operator's token and all that is made later follow from the " +
      "seed; dev only, on a machine's own addresses",
    dev: "fixed on own addresses without proxies, else random",
    production: "random",
  },
  "clock-jump": {
    ...whole("MS", 0, CLOCK_JUMP_MAX_MS),
    meaning:
      "how far, in ms, the machine's clock may jump ahead, and the log's last time be ahead of it at the start; " +
      "more is refused",
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
    meaning: "refuses what the exchange whose API this is is known to refuse, see docs/reference/compat.md",
    dev: "off",
    production: "off",
  },
  compat: {
    ...onOff(),
    meaning: "concessions to existing clients in signatures, answers and refusals, see docs/reference/compat.md",
    dev: "on",
    production: "off",
  },
  legacy: {
    ...onOff(),
    meaning:
      "the older generation of the API: /v1 and /perpetual/v1, signed by MD5 and SHA-256, and its sockets at / " +
      "and /perpetual",
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
      'requests per second of one account by group, such as {"spot:Cancel orders": 90}; what is not named keeps ' +
      "its rate",
    dev: "as in docs/reference/rate-limits.md",
    production: "as in docs/reference/rate-limits.md",
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
      "Redis or Valkey server on which all nodes that name it share the quotas of addresses and accounts; none: " +
      "those of this process",
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
    meaning: "the header in which trusted proxies name the client; the other one is not looked at",
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
      "server that mails to people go out over; without one, dev keeps them in the folder mail of its data, and " +
      "production sends none",
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
      "where people find the venue's page: the only one that sessions serve, what links in mails lead to, and " +
      "whose passkeys count",
    dev: "none",
    production: "none",
  },
  "four-eyes": {
    read: readAmounts,
    values: "CCY=AMOUNT,…",
    expected: "currencies with amounts, joined by commas, such as BTC=1,USDT=50000, or none",
    meaning:
      "amounts above which operators move money only by twos: the bounds of a venue that has none yet, later " +
      "changed by bourse four-eyes set; with it changes of operators take two, too",
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
      "at this start the tokens of all administrators end and root lets operators in alone, as at the first " +
      "start: for a venue whose administrators are lost",
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
    meaning:
      "chains that money comes over and leaves over, by name, with their nodes and thresholds; see " +
      "docs/guides/payments.md",
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
      "when chains hold less than the ledger says: halt withdrawals over chains until an operator resumes them, " +
      "or only tell",
    dev: "tell",
    production: "halt",
  },
  "liabilities-every": {
    ...whole("HOURS", 0, LIABILITIES_HOURS_MAX),
    meaning:
      "how often the venue counts what it owes its users and publishes the roots; 0: when an operator asks for it",
    dev: "0",
    production: "24",
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
export const PATHS: ReadonlySet<string> = new Set<SettingName>(["data", "backups", "log-archive", ...FILES]);

export const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  Object.entries(table).map(([name, setting]) => [name, { name, ...setting }]),
);

/** All settings, for the command line's help and the documents. */
export const SETTING_ROWS: readonly SettingRow[] = [...SETTINGS.values()];

/** Whether this is compiled: then it is a package among others, whose folder npm makes anew when it likes. */
const IS_PACKAGE = import.meta.url.endsWith(".js");

/** The directory that `data` means when nobody names one, in words. */
export const DATA_DEFAULT = IS_PACKAGE ? "bourse-data in the working directory" : "data beside the program";

/** That directory: beside the program, wherever it is called from; that of a package in the working directory. */
export function defaultDataDir(): string {
  return IS_PACKAGE ? resolve("bourse-data") : fileURLToPath(new URL("../../data", import.meta.url));
}
