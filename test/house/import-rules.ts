import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { type Import, importsOf } from "./imports.ts";
import type { SourceProgram } from "./program.ts";

/**
 * Which rooms of src a room may import from, besides itself. Imports point inward: the engine knows nobody, the rooms
 * around it know the engine, the venue assembles them, the command line starts the venue. Each folder of the laboratory
 * is a room; no room outside of it may know one, see `LAB_ENTRIES`.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  net: [],
  log: ["engine"],
  cluster: ["log", "net"],
  liabilities: [],
  history: ["engine", "net"],
  feeds: ["engine"],
  listing: [],
  chains: ["engine", "net"],
  gateway: ["engine", "log", "history", "feeds", "liabilities", "net"],
  venue: ["engine", "log", "cluster", "history", "feeds", "liabilities", "listing", "chains", "gateway", "net"],
  cli: ["engine", "log", "history", "feeds", "liabilities", "gateway", "venue", "net"],
  "lab/market": ["engine", "listing"],
  "lab/simulated-chain": ["engine", "chains"],
  "lab/scenario": ["engine"],
  "lab/dev": ["engine", "log", "history", "gateway", "venue", "lab/market", "lab/simulated-chain", "lab/scenario"],
  "lab/conform": ["gateway", "venue", "net"],
  "lab/replay": [],
  "lab/verbs": ["engine", "log", "cli", "lab/dev", "lab/scenario", "lab/conform", "lab/replay"],
  "lab/library": ["gateway", "venue", "lab/scenario"],
};

/**
 * The only files of the product that reach for the laboratory, each with where it may go: by `import()`, so that it is
 * loaded when it is needed and not before, and for types.
 */
export const LAB_ENTRIES: Readonly<Record<string, string>> = {
  "src/venue/lab.ts": "src/lab/dev/",
  "src/cli/lab-verbs.ts": "src/lab/verbs/",
};

/**
 * Folders of the engine that every other one stands on: numbers, rows, the ledger, and the forms of snapshots and
 * audits.
 */
const GROUND = ["money", "store", "ledger", "snapshot", "audit"];

/**
 * Which folders of the engine a folder may import from, types included, besides itself, the kernel (the files directly
 * in src/engine) and `GROUND`. `trading` knows no product: how a market settles it learns from the interface in
 * trading/settlement.ts, which products implement (docs/decisions/0029). A product that comes is one line here.
 */
export const ENGINE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  money: [],
  store: [],
  ledger: [],
  snapshot: ["accounts", "futures", "listing"],
  audit: [],
  maintenance: ["listing"],
  accounts: ["maintenance", "operators", "referral"],
  listing: ["amm", "futures", "insurance", "maintenance", "stops", "trading"],
  trading: ["accounts", "listing", "maintenance"],
  spot: ["accounts", "listing", "trading"],
  stops: ["listing", "trading"],
  "cancel-after": ["listing", "trading"],
  "market-maker": ["accounts", "listing", "trading"],
  amm: ["accounts", "listing", "maintenance", "trading", "wallet"],
  insurance: ["futures", "listing"],
  liabilities: ["accounts", "listing"],
  margin: ["accounts", "futures", "insurance", "listing", "maintenance", "spot", "stops", "trading", "wallet"],
  futures: ["accounts", "insurance", "listing", "maintenance", "stops", "trading"],
  wallet: ["accounts", "futures", "listing", "maintenance", "operators", "trading"],
  operators: ["accounts", "credit", "identity", "listing", "payments", "wallet"],
  payments: ["accounts", "chains", "listing", "maintenance", "operators", "wallet"],
  chains: ["listing", "payments"],
  "simulated-chain": ["listing"],
  savings: ["wallet"],
  subs: ["accounts", "futures", "listing", "maintenance", "payments", "wallet"],
  credit: ["accounts", "listing", "operators", "wallet"],
  referral: ["accounts", "amm", "listing"],
  identity: ["accounts", "maintenance", "subs"],
};

/** Listings are data for those who make markets, and tell nothing of the wire. */
const LISTING_ROOM = "listing";
const LISTINGS = "contract/listing/";

/** The only room that reads the wire contract: the others must not depend on how the outside world spells things. */
export const CONTRACT_ROOM = "gateway";

/**
 * What lies below the surfaces of the gateway (generations of the API, the operator's interface, sockets) and knows
 * none of them, beside the files of the gateway that all of it may know.
 */
export const BELOW_SURFACES: readonly string[] = ["http", "request", "auth", "limits", "reading", "envelope"];
/** The operator's interface knows this of the gateway besides, and nothing of what clients call. */
const OPERATORS = "admin";
const KNOWN_TO_OPERATORS = ["admin", "faults", "explain"];
const KNOWN_BELOW = ["backend.ts", "refused.ts", "refusal-rows.ts"];

/** What each package is for, so that it does not spread. The engine has none, and no part of Node either. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@grpc/grpc-js": ["cluster"],
  "@grpc/proto-loader": ["cluster"],
  "@simplewebauthn/server": ["gateway"],
  commander: ["cli"],
  ioredis: ["venue"],
  kysely: ["history"],
  nodemailer: ["venue"],
  otpauth: ["gateway"],
  pg: ["history"],
  "swagger-ui-dist": ["gateway"],
  viem: ["chains"],
  ws: ["gateway", "lab/conform"],
  pino: ["cli", "gateway", "history", "log", "venue", "lab/conform", "lab/dev", "lab/library"],
};

/**
 * The only file that imports it: a package of bourse brings along what it takes of it, so that it is a tool of
 * development.
 */
const BUNDLED: Readonly<Record<string, string>> = { viem: "src/chains/evm/viem.ts" };

/** Sentences that name every import in src which breaks a rule, unit tests aside; empty when all is well. */
export function importBreaches(root: string, program: SourceProgram): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  const breaches: string[] = [];
  for (const [path, file] of program.files) {
    if (!path.startsWith("src/") || path.endsWith(".test.ts")) continue;
    for (const each of importsOf(file)) {
      const { line } = each;
      const reason = breachOf(path, each, Object.keys(dependencies ?? {}));
      if (reason !== undefined) breaches.push(`${path}:${line} ${reason}`);
    }
  }
  return breaches;
}

function breachOf(path: string, found: Import, dependencies: readonly string[]): string | undefined {
  const { specifier } = found;
  const room = roomOf(path);
  if (room === undefined || ROOMS[room] === undefined) return `lies in no room of ${Object.keys(ROOMS).join(", ")}.`;
  if (specifier === undefined) return "imports something computed, which cannot be checked.";
  if (specifier.startsWith("."))
    return breachOfFile(path, room, posix.normalize(posix.join(posix.dirname(path), specifier)), found);
  return breachOfPackage(path, room, specifier, dependencies);
}

function breachOfFile(path: string, room: string, target: string, found: Import): string | undefined {
  if (target.endsWith(".test.ts")) return `imports the unit test ${target}.`;
  if (target.startsWith("contract/") || target === "contract") {
    return room === CONTRACT_ROOM || (room === LISTING_ROOM && target.startsWith(LISTINGS))
      ? undefined
      : `reads ${target}: contract data comes through ${CONTRACT_ROOM} only.`;
  }
  if (target === "package.json") {
    return room === "engine" ? "reads package.json: the engine imports nothing outside itself." : undefined;
  }
  // The terminal as it was built: files that the gateway hands out.
  if (target === "web/dist/" && room === CONTRACT_ROOM) return undefined;
  // The scenarios that come with the program.
  if (target === "scenarios/" && room === "lab/scenario") return undefined;
  // Which Node runs a venue is decided where no Node that could is running yet.
  if (target === "scripts/venue-node.js" && room === "lab/library") return undefined;
  // What a proof of liabilities is, and the check that everybody has.
  if (target === "client/liability-proof.ts" && (room === "liabilities" || room === "cli")) return undefined;
  // A venue gives the clients that come in the same package.
  if (target === "client/index.ts" && room === "lab/library") return undefined;
  // Where a venue keeps its data when nobody says otherwise.
  if (target === "data" && room === "venue") return undefined;
  const targetRoom = roomOf(target);
  if (targetRoom === undefined) return `imports ${target}, which lies outside src.`;
  if (targetRoom.startsWith(LAB) && !room.startsWith(LAB)) return breachOfEntry(path, target, found);
  const reason = breachBelowSurfaces(path, target);
  if (reason !== undefined) return reason;
  if (room === "engine" && targetRoom === room) return breachOfFolder(path, target);
  if (targetRoom === room || ROOMS[room]?.includes(targetRoom)) return undefined;
  return `imports ${target}: ${room} may not know ${targetRoom}.`;
}

function breachOfEntry(path: string, target: string, { isType, isDynamic }: Import): string | undefined {
  const behind = LAB_ENTRIES[path];
  if (behind === undefined || !target.startsWith(behind)) {
    return `imports ${target}: the product reaches the laboratory by ${Object.keys(LAB_ENTRIES).join(" and ")} only.`;
  }
  return isType || isDynamic ? undefined : `imports ${target}: the laboratory is loaded by import() only.`;
}

function breachOfFolder(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((file) => /^src\/engine\/([^/]+)\//.exec(file)?.[1]);
  if (from === undefined || to === undefined || from === to) return undefined;
  const known = ENGINE_FOLDERS[from];
  if (known === undefined) return `lies in ${from}, a folder of the engine that ENGINE_FOLDERS does not name.`;
  if (known.includes(to) || GROUND.includes(to)) return undefined;
  return `imports ${target}: ${from} may not know ${to}.`;
}

/** Pairs of folders of the engine that may import from each other, each in the order of names. */
export function mutualFolders(): string[] {
  const pairs = Object.entries(ENGINE_FOLDERS).flatMap(([one, known]) =>
    known.filter((other) => one < other && ENGINE_FOLDERS[other]?.includes(one)).map((other) => `${one} ${other}`),
  );
  return pairs.sort();
}

function breachBelowSurfaces(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((file) => /^src\/gateway\/([^/]+)/.exec(file)?.[1]);
  if (from === undefined || to === undefined) return undefined;
  if (BELOW_SURFACES.includes(to) || KNOWN_BELOW.includes(to)) return undefined;
  if (from === OPERATORS) {
    return KNOWN_TO_OPERATORS.includes(to)
      ? undefined
      : `imports ${target}: the operator's interface knows nothing of what clients call.`;
  }
  if (!BELOW_SURFACES.includes(from)) return undefined;
  return `imports ${target}: ${from} lies below the surfaces of the gateway and knows none of them.`;
}

function breachOfPackage(
  path: string,
  room: string,
  specifier: string,
  dependencies: readonly string[],
): string | undefined {
  if (room === "engine") return `imports ${specifier}: the engine imports nothing outside itself.`;
  if (isBuiltin(specifier)) return undefined;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (!dependencies.includes(name) && BUNDLED[name] !== path)
    return `imports ${name}, which is not among the dependencies of production.`;
  if (PACKAGES[name] === undefined) return `imports ${name}, for which no room is named in PACKAGES.`;
  return PACKAGES[name].includes(room) ? undefined : `imports ${name}: it belongs to ${PACKAGES[name].join(", ")}.`;
}

const LAB = "lab/";

/** `src/log/writer.ts` → `log`, `src/lab/dev/fork.ts` → `lab/dev`; a file directly in src or src/lab is in no room. */
function roomOf(path: string): string | undefined {
  return /^src\/((?:lab\/)?[^/]+)\//.exec(path)?.[1];
}
