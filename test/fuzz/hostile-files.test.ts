/**
 * Files that somebody hands to the program: scenarios, candles, recordings, listings, configurations, backups. Whatever
 * is in them, a sentence comes of it.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { parseRecording, RecordingError } from "../../src/lab/replay/recording.ts";
import { isLiving, parseLivingScenario } from "../../src/lab/scenario/living/living-scenario.ts";
import { play } from "../../src/lab/scenario/run.ts";
import { parseScenario } from "../../src/lab/scenario/scenario.ts";
import { ListingError, readListing } from "../../src/listing/listing.ts";
import { SettingsError, settingsOf } from "../../src/venue/settings.ts";
import { budget } from "../support/ring.ts";
import { xorshift } from "../support/xorshift.ts";
import { HostileCalls } from "./hostile/calls.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SEED = 20_261_127;
const ROUNDS = budget(40, 600);
const TIB = 2 ** 40;

const pipe = (path: string) => execFileSync("mkfifo", [path]);

/** What stands at the path. */
const CONTENTS: Readonly<Record<string, (path: string) => unknown>> = {
  nothing: () => {},
  "a directory": (path) => mkdirSync(path),
  "a pipe": pipe,
  "a link to itself": (path) => symlinkSync(path, path),
  "a device": (path) => symlinkSync("/dev/zero", path),
  "a hole of a TiB": (path) => {
    writeFileSync(path, "{");
    truncateSync(path, TIB);
  },
  "no bytes": (path) => writeFileSync(path, ""),
  nonsense: (path) => writeFileSync(path, Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 97) % 256))),
  "deep lists": (path) => writeFileSync(path, "[".repeat(200_000)),
  "deep objects": (path) => writeFileSync(path, `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`),
  "a prototype": (path) => writeFileSync(path, '{"__proto__": {"profile": "dev"}, "constructor": 1, "toString": 2}'),
  null: (path) => writeFileSync(path, "null"),
  "one long line": (path) => writeFileSync(path, "9".repeat(5_000_000)),
  "a packed bomb": (path) => writeFileSync(path, gzipSync(Buffer.alloc(600 * 2 ** 20))),
};

/** The verbs that read a file, and what the file is called for them. */
const VERBS: Readonly<
  Record<string, { readonly ending: string; readonly args: (path: string, base: string) => string[] }>
> = {
  scenario: { ending: ".json", args: (path) => ["scenario", "run", path] },
  candles: {
    ending: ".csv",
    args: (path) => ["candles", "import", path, "--market", "BTCUSDT", "--admin", "http://127.0.0.1:1"],
  },
  recording: {
    ending: ".csv.gz",
    args: (path) => [
      "replay",
      "market",
      path,
      "--market",
      "BTCUSDT",
      "--api",
      "http://127.0.0.1:1",
      "--admin",
      "http://127.0.0.1:1",
    ],
  },
  configuration: {
    ending: ".json",
    args: (path, base) => ["start", "--config", path, "--data", join(base, "none"), "--port", "0"],
  },
  listing: {
    ending: ".json",
    args: (path, base) => ["start", "--listing", path, "--data", join(base, "none"), "--port", "0"],
  },
  "proof of liabilities": { ending: ".json", args: (path) => ["verify-liability", path] },
  verify: { ending: ".tar", args: (path) => ["verify", path] },
  restore: { ending: ".tar", args: (path, base) => ["restore", path, "--data", join(base, "none")] },
};

test("whatever stands at the path of a file, the program ends with a sentence and code 2 or 3", {
  skip: process.platform !== "linux" && "it needs pipes and holes",
}, async (t) => {
  const base = mkdtempSync(join(tmpdir(), "bourse-hostile-"));
  const calls = new HostileCalls();
  t.after(() => {
    calls.end();
    rmSync(base, { recursive: true, force: true });
  });
  const faults: (string | undefined)[] = [];
  for (const [what, put] of Object.entries(CONTENTS)) {
    for (const [verb, { ending, args }] of Object.entries(VERBS)) {
      const path = join(base, `${verb}${ending}`);
      put(path);
      // A backup that is not there is damage of nothing.
      const codes = verb === "verify" || verb === "restore" ? [1, 3] : [2, 3];
      faults.push(await calls.faultOf({ name: `${what}: ${verb}`, args: args(path, base) }, codes));
      rmSync(path, { recursive: true, force: true });
    }
  }
  assert.deepEqual(
    faults.filter((fault) => fault !== undefined),
    [],
  );
});

/** Values that a file of a person may hold by mistake, or of a stranger by intent. */
const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, "", " ", "0", "-1", "1e9", "NaN", "9".repeat(400), "\u0000", "…"],
  ...[[], {}, [[]], { __proto__: 1 }, "__proto__", "constructor", "buy 1 at", "2026-01-01T00:00:00Z", "99999999d", "*"],
];

/** The same value with one part of it, anywhere, taken out, doubled or made odd. */
function spoilt(value: unknown, chance: () => number): unknown {
  const below = (end: number) => Math.floor(chance() * end);
  const odd = () => ODD[below(ODD.length)];
  if (typeof value !== "object" || value === null || chance() < 0.05) return odd();
  if (Array.isArray(value)) {
    if (value.length === 0) return [odd()];
    const at = below(value.length);
    const kind = below(5);
    if (kind === 0) return value.toSpliced(at, 1);
    if (kind === 1) return value.toSpliced(at, 0, value[at]);
    return value.with(at, spoilt(value[at], chance));
  }
  const names = Object.keys(value);
  const name = names[below(names.length)];
  if (name === undefined) return { odd: odd() };
  const { [name]: part, ...others } = value as Record<string, unknown>;
  const kind = below(6);
  if (kind === 0) return others;
  if (kind === 1) return { ...others, [`${name}x`]: part };
  return { ...others, [name]: spoilt(part, chance) };
}

/** A text with some of its bytes taken out, doubled or altered. */
function torn(text: string, chance: () => number): string {
  const below = (end: number) => Math.floor(chance() * end);
  let torn = text;
  for (let round = 0; round <= below(4); round++) {
    const at = below(torn.length);
    const piece = torn.slice(at, at + 1 + below(40));
    const kind = below(3);
    const put = kind === 0 ? "" : kind === 1 ? piece + piece : String.fromCharCode(below(0x3000));
    torn = torn.slice(0, at) + put + torn.slice(at + piece.length);
  }
  return torn;
}

const SCENARIOS = ["crash", "funding-squeeze", "outage", "flash-crash"].map((name) =>
  readFileSync(join(ROOT, "scenarios", `${name}.json`), "utf8"),
);
const LISTING = readFileSync(join(ROOT, "contract/listing/small.json"), "utf8");
const ROWS = Array.from({ length: 30 }, (_, at) => `${1_750_000_000_000 + at},trade,buy,60000.${at},0.1`);
const RECORDING = `time,type,side,price,amount\n${ROWS.join("\n")}\n`;

/** What reads each kind of file, and the errors that are sentences. */
const READERS: Readonly<
  Record<string, { readonly texts: readonly string[]; read(text: string): unknown; isFault(error: unknown): boolean }>
> = {
  scenarios: {
    texts: SCENARIOS,
    read: (text) => (isLiving(text) ? parseLivingScenario(text) : play(parseScenario(text))),
    isFault: (error) => (error as { code?: string }).code === "SCENARIO",
  },
  listings: {
    texts: [LISTING],
    read: (text) => readListing(text, "mine.json"),
    isFault: (error) => error instanceof ListingError,
  },
  recordings: {
    texts: [RECORDING],
    read: (text) => parseRecording(text, "mine.csv"),
    isFault: (error) => error instanceof RecordingError,
  },
};

for (const [name, { texts, read, isFault }] of Object.entries(READERS)) {
  describe(`spoilt ${name}`, () => {
    test(`are read or refused with a sentence, ${ROUNDS} of seed ${SEED}`, () => {
      const chance = xorshift(SEED);
      let refused = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const text = texts[round % texts.length] as string;
        const isJson = text.startsWith("{");
        const hostile =
          isJson && round % 3 !== 0 ? JSON.stringify(spoilt(JSON.parse(text), chance)) : torn(text, chance);
        try {
          read(hostile);
        } catch (error) {
          assert.ok(isFault(error), `round ${round}: ${(error as Error).stack}\n${hostile.slice(0, 2_000)}`);
          refused++;
        }
      }
      assert.ok(refused > ROUNDS / 4, "what is spoilt is mostly refused");
    });
  });
}

test(`spoilt configurations are refused with a sentence, ${ROUNDS} of seed ${SEED}`, (t) => {
  const base = mkdtempSync(join(tmpdir(), "bourse-hostile-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const path = join(base, "bourse.json");
  const sound = {
    ...{ profile: "production", data: "venue", port: 7400, compat: "on", "trusted-proxies": ["127.0.0.1"] },
    ...{ "four-eyes": "USDT=50000,BTC=1", "group-rates": { "spot:Cancel orders": 90 }, "long-limits": "1H=20000" },
    ...{
      "chain-ERC20": "rpc=https://a.example+https://b.example",
      smtp: "smtp://mail.example",
      "web-origin": "https://a.example",
    },
  };
  const chance = xorshift(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(path, round % 3 === 0 ? torn(JSON.stringify(sound), chance) : JSON.stringify(spoilt(sound, chance)));
    try {
      settingsOf({ config: path });
    } catch (error) {
      assert.ok(
        error instanceof SettingsError,
        `round ${round}: ${(error as Error).stack}\n${readFileSync(path, "utf8")}`,
      );
    }
  }
});
