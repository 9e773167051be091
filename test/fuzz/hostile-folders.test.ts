/**
 * Data directories that somebody hostile has made: every verb that reads one ends by itself, with a sentence, and
 * leaves no half of anything.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { budget } from "../support/ring.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { xorshift } from "../support/xorshift.ts";
import { HostileCalls } from "./hostile/calls.ts";

const SEED = 20_261_126;
/** Bytes that are altered in the log, at seeded places. */
const FLIPS = budget(2, 16);
const TIB = 2 ** 40;

type Spoil = (dir: string) => void;

const inLog =
  (sql: string): Spoil =>
  (dir) => {
    const database = new DatabaseSync(join(dir, "log.sqlite"));
    database.exec(sql);
    database.close();
  };
const write =
  (name: string, content: string | Buffer): Spoil =>
  (dir) =>
    writeFileSync(join(dir, name), content);
const replace =
  (name: string, put: (path: string) => unknown): Spoil =>
  (dir) => {
    for (const each of readdirSync(dir).filter((file) => file.startsWith(name))) {
      rmSync(join(dir, each));
      put(join(dir, each));
    }
  };
const pipe = (path: string) => execFileSync("mkfifo", [path]);
const whole =
  (put: (dir: string) => unknown): Spoil =>
  (dir) => {
    rmSync(dir, { recursive: true });
    put(dir);
  };
const size =
  (name: string, bytes: number): Spoil =>
  (dir) => {
    for (const each of readdirSync(dir).filter((file) => file.startsWith(name))) truncateSync(join(dir, each), bytes);
  };

/** How each folder is spoilt. The verbs do not all read everything: what does not concern them they may do. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  "an empty log": write("log.sqlite", ""),
  "half of a log": size("log.sqlite", 50_000),
  "a log of nonsense": write("log.sqlite", Buffer.alloc(100_000, 0x5a)),
  "a directory for a log": replace("log.sqlite", mkdirSync),
  "a pipe for a log": replace("log.sqlite", pipe),
  "a log that links to itself": replace("log.sqlite", (path) => symlinkSync(path, path)),
  "a log that is a device": replace("log.sqlite", (path) => symlinkSync("/dev/zero", path)),
  "a log with a hole of a TiB": size("log.sqlite", TIB),
  "another program's database": replace("log.sqlite", (path) => {
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE t (a)");
    database.close();
  }),
  "a group with more commands than there are numbers": inLog(
    "UPDATE log_group SET count = 9007199254740993 WHERE first_seq = 2",
  ),
  "times before all time": inLog("UPDATE log_group SET time_ms = -9223372036854775807"),
  "a group of 100 MB": inLog("UPDATE log_group SET payload = zeroblob(100000000) WHERE first_seq = 2"),
  "groups of three bytes": inLog("UPDATE log_group SET payload = x'010203' WHERE first_seq > 1"),
  "hashes of no bytes": inLog("UPDATE log_group SET hash = x'', prev_hash = x''"),
  "numbers below 0": inLog("UPDATE log_group SET first_seq = -first_seq"),
  "absurd meta values": inLog("UPDATE meta SET value = '99999999999999999999999'"),
  "no meta values": inLog("DELETE FROM meta"),
  "no groups": inLog("DROP TABLE log_group"),
  "a trigger": inLog("CREATE TRIGGER t AFTER DELETE ON log_group BEGIN SELECT raise(ABORT, 'no'); END"),
  "a view without end": inLog(
    "DROP TABLE log_group; CREATE VIEW log_group AS WITH RECURSIVE c (first_seq, count, time_ms, prev_hash, " +
      "hash, payload) AS " +
      "(SELECT 1, 1, 1, x'00', x'00', x'00' UNION ALL SELECT first_seq + 1, 1, 1, x'00', x'00', x'00' FROM c) " +
      "SELECT * FROM c",
  ),
  "a write-ahead log of nonsense": write("log.sqlite-wal", Buffer.alloc(50_000, 3)),
  "a pipe for a write-ahead log": (dir) => pipe(join(dir, "log.sqlite-wal")),
  "a commit marker of nonsense": write("acknowledged", Buffer.alloc(1_000, 7)),
  "a pipe for a commit marker": replace("acknowledged", pipe),
  "a directory for a commit marker": replace("acknowledged", mkdirSync),
  "a pipe for a key": replace("secret.key", pipe),
  "a key of nonsense": write("secret.key", "zz"),
  "pipes for snapshots": replace("snapshot-", pipe),
  "directories for snapshots": replace("snapshot-", mkdirSync),
  "snapshots that link to themselves": replace("snapshot-", (path) => symlinkSync(path, path)),
  "snapshots with a hole of a TiB": size("snapshot-", TIB),
  "snapshots of no bytes": size("snapshot-", 0),
  "a file for the folder": whole((dir) => writeFileSync(dir, "x")),
  "no folder": whole(() => {}),
  "a folder that links to itself": whole((dir) => symlinkSync(dir, dir)),
  "a pipe for the folder": whole(pipe),
  "an empty folder": whole(mkdirSync),
};

/** Those of which a venue must refuse to start, and not wait for ever: each in the place of a file. */
const NO_START = [
  "log.sqlite-wal",
  "acknowledged",
  "history.sqlite",
  "audit-trail.sqlite",
  "lock.sqlite",
  "secret.key",
];

describe("hostile data directories", { skip: process.platform !== "linux" && "they need pipes and holes" }, () => {
  test("audit, log, fork and archive end with a sentence, and leave nothing when they fail", async (t) => {
    const base = mkdtempSync(join(tmpdir(), "bourse-hostile-"));
    const calls = new HostileCalls();
    t.after(() => {
      calls.end();
      rmSync(base, { recursive: true, force: true });
    });
    const good = join(base, "good");
    const venue = await VenueProcess.start(good, "--makers", "off");
    await venue.trader("x", { USDT: "5" });
    await venue.end("SIGTERM");
    rmSync(join(good, "admin-socket"), { force: true });
    const chance = xorshift(SEED);
    const spoils = new Map(Object.entries(SPOILS));
    for (let number = 0; number < FLIPS; number++) {
      spoils.set(`altered byte ${number} of seed ${SEED}`, (dir) => {
        const path = join(dir, "log.sqlite");
        const bytes = readFileSync(path);
        const at = Math.floor(chance() * bytes.length);
        bytes[at] = (bytes[at] as number) ^ (1 + Math.floor(chance() * 255));
        writeFileSync(path, bytes);
      });
    }
    const faults: (string | undefined)[] = [];
    let count = 0;
    for (const [name, spoil] of spoils) {
      const dir = join(base, `case-${count++}`);
      cpSync(good, dir, { recursive: true });
      spoil(dir);
      const verbs: Readonly<Record<string, readonly string[]>> = {
        audit: ["--data", dir, "--quick"],
        log: ["--data", dir],
        fork: ["--from", dir, "--data", `${dir}-fork`],
        archive: ["--data", dir, "--before", "3", "--to", `${dir}-archive`],
      };
      for (const [verb, args] of Object.entries(verbs)) {
        const fault = await calls.faultOf({ name: `${name}: ${verb}`, args: [verb, ...args] }, [0, 1, 2, 3]);
        faults.push(fault);
        // An archive that did not come to its end is gone on with; nothing was taken out of the log before it was
        // whole.
        const fork = `${dir}-fork`;
        if (existsSync(fork) && calls.lastCode !== 0) faults.push(`${name}: ${verb} leaves ${readdirSync(fork)}`);
        for (const left of [fork, `${dir}-archive`]) rmSync(left, { recursive: true, force: true });
      }
      rmSync(dir, { recursive: true, force: true });
    }
    assert.deepEqual(
      faults.filter((fault) => fault !== undefined),
      [],
    );
  });

  test("a venue does not start where something else stands in the place of a file, and does not wait for it", async (t) => {
    const base = mkdtempSync(join(tmpdir(), "bourse-hostile-"));
    t.after(() => rmSync(base, { recursive: true, force: true }));
    const good = join(base, "good");
    await (await VenueProcess.start(good, "--makers", "off")).end("SIGTERM");
    for (const name of NO_START) {
      const dir = join(base, name);
      cpSync(good, dir, { recursive: true, filter: (path) => !path.endsWith("admin-socket") });
      rmSync(join(dir, name), { force: true });
      pipe(join(dir, name));
      await assert.rejects(
        VenueProcess.start(dir, "--makers", "off"),
        /is a pipe, where the venue keeps a file\./,
        name,
      );
    }
  });
});
