/**
 * Every writer of files on a disk that is full, broken, read-only or slow. A view that cannot be written is caught up
 * with later, and trading goes on; the log that cannot be written ends the venue with a sentence, and nothing that was
 * acknowledged is lost.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { repositoryRoot } from "../house/program.ts";
import { repositoryFiles } from "../house/repository-files.ts";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { DISK_FAULTS, FailingDisk, withoutFailingDisk } from "../support/failing-disk.ts";
import { mainProgram } from "../support/program.ts";
import { runningLimit } from "../support/running-time.ts";
import { VenueProcess } from "../support/venue-process.ts";

const DISK = { skip: withoutFailingDisk() };
const WAITED_MAX_MS = 180_000;
const OPTIONS = ["--makers", "off", "--limits", "off", "--sign-up", "on", "--snapshot-every", "1000"];
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" };
const IOC = { ...ORDER, type: "ioc" };
const BATCH = 50;
/** A start that did not come to be says why in its last line. */
const STOPPED = /ended with [13]: .*\bbourse: [A-Z][^\n]+\.\s*$/s;

/** What makes, changes or removes a file. SQLite's are those of `DatabaseSync`. */
const WRITES =
  /\b(?:writeFileSync|writeFile|writeSync|appendFileSync|appendFile|createWriteStream|copyFileSync|cpSync|renameSync|rename|linkSync|symlinkSync|ftruncateSync|truncateSync|createPrivateFile|writeAll|mkdtempSync)\(|new DatabaseSync\((?!.*readOnly: true)/;

/** Where each module that writes is tried: a row of this file, or another test. */
const TRIED: Readonly<Record<string, string>> = {
  "src/cli/log.ts": "commands that write elsewhere",
  "src/cli/log-lines.ts": "standard error, which is no file",
  "src/lab/verbs/scenario.ts": "commands that write elsewhere",
  "src/cluster/log-archive.ts": "test/cluster/archive.test.ts: a copy that another node can make anew",
  "src/cluster/own-log.ts":
    "test/cluster/lying-peers.test.ts and faults.test.ts: a node's copy of the log, which others have as well",
  "src/gateway/auth/secret-vault.ts": "a first start",
  "src/history/sqlite/history-file.ts": "history",
  "src/history/postgresql/written.ts": "a table of a database, which has disks of its own: test/support/postgresql.ts",
  "src/log/data-dir.ts": "a start",
  "src/log/directory.ts": "src/log/directory.test.ts, a start and commands that write elsewhere",
  "src/log/log-file.ts": "the log",
  "src/log/snapshot-file.ts": "snapshots",
  "src/log/tail.ts": "a start",
  "src/log/commit-marker.ts": "the log",
  "src/venue/assembly/storage.ts": "history, and a start",
  "src/venue/audit-trail.ts": "the audit trail",
  "src/venue/backup/make.ts": "backups",
  "src/venue/backup/restore.ts": "commands that write elsewhere",
  "src/venue/backup/tar.ts": "backups, and commands that write elsewhere",
  "src/venue/disk-watch.ts": "the reserve",
  "src/lab/dev/fork.ts": "commands that write elsewhere",
  "src/venue/mail.ts": "mails",
  "src/lab/dev/marks.ts": "states that are kept",
  "src/venue/monitor/monitor.ts": "figures over time",
};

test("every module that writes a file is tried on a disk that fails", () => {
  const writers = repositoryFiles("src").filter(
    (file) =>
      file.endsWith(".ts") &&
      !file.endsWith(".test.ts") &&
      WRITES.test(readFileSync(join(repositoryRoot, file), "utf8")),
  );
  assert.deepEqual(writers, Object.keys(TRIED).sort());
});

class Trial {
  readonly disk: FailingDisk;
  readonly data: string;
  venue!: VenueProcess;
  client!: ApiClient;
  userId = 0;
  #key: ApiKeyPair | undefined;
  #other: ApiKeyPair | undefined;
  /** Orders that were acknowledged and rest, oldest first, and how many were filled. */
  readonly resting: number[] = [];
  filled = 0;
  credited = 0;

  constructor(t: TestContext) {
    this.disk = FailingDisk.make(t);
    const folder = mkdtempSync(join(tmpdir(), "bourse-disk-fails-"));
    this.data = join(folder, "venue");
    t.after(async () => {
      await this.venue?.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
  }

  async start(): Promise<void> {
    this.venue = await VenueProcess.startIn(this.disk.env, this.data, ...OPTIONS);
    if (this.#key === undefined) {
      const { userId, key } = await this.venue.trader("ann", { USDT: "100000000" });
      [this.userId, this.#key, this.credited] = [userId, key, 1];
      this.#other = (await this.venue.trader("seller", { BTC: "100" })).key;
    }
    this.client = this.venue.client(this.#key);
  }

  /** A start that does not come to be; gives what it says. */
  async failsToStart(): Promise<string> {
    return await VenueProcess.startIn(this.disk.env, this.data, ...OPTIONS).then(
      async (venue) => {
        await venue.end("SIGKILL");
        return "it started";
      },
      (error: Error) => error.message,
    );
  }

  /** Two orders, of which the oldest one is filled. */
  async trade(): Promise<void> {
    for (let order = 0; order < 2; order++)
      this.resting.push((await this.client.act("/v2/spot/order", ORDER)).order_id);
    await this.venue.client(this.#other).act("/v2/spot/order", { ...IOC, side: "sell" });
    this.resting.shift();
    this.filled++;
  }

  async deposit(): Promise<void> {
    await this.venue.admin("/admin/deposits", { user_id: this.userId, ccy: "USDT", amount: "1", note: "trial" });
    this.credited++;
  }

  async tradeInBatches(orders: number): Promise<void> {
    for (let at = 0; at < orders; at += BATCH) {
      await this.client.act("/v2/spot/batch-order", { orders: Array.from({ length: BATCH }, () => IOC) });
    }
  }

  async storage(): Promise<Record<string, string>> {
    return (await this.venue.admin("/admin/status")).storage;
  }

  /** All that was acknowledged is there. */
  async assertWhole(): Promise<void> {
    await until("history", async () => (await this.storage()).history === "writing");
    const { data: pending } = await this.client.get("/v2/spot/pending-order", { market_type: "SPOT", limit: 1_000 });
    const open = new Set((pending as { order_id: number }[]).map(({ order_id }) => order_id));
    assert.deepEqual(
      this.resting.filter((id) => !open.has(id)),
      [],
    );
    const finished = await this.client.read("/v2/spot/finished-order", { market_type: "SPOT", limit: 1_000 });
    assert.equal(finished.length, this.filled);
    const { audit_trail } = await this.venue.admin(
      `/admin/audit-trail?action=deposit&user_id=${this.userId}&limit=1000`,
    );
    assert.equal(audit_trail.length, this.credited);
  }
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = runningLimit(WAITED_MAX_MS);
  while (!(await isSo())) {
    if (limit.signal.aborted) assert.fail(`${what} did not come`);
    await pause(50);
  }
  limit.end();
}

interface View {
  /** In the paths of its files. */
  readonly part: string;
  /** What makes it write; whether that fails is shown by `shows`. */
  readonly action: (trial: Trial) => Promise<unknown>;
  /** Waits for what an operator sees of the fault. */
  readonly shows: (trial: Trial, came: unknown) => Promise<void>;
  /** Waits until it is whole again. */
  readonly comesBack: (trial: Trial) => Promise<void>;
}

const said = (came: unknown) => String((came as Error).message ?? came);
const asked = (trial: Trial, path: string, body: object) =>
  trial.venue.admin(path, body).catch((error: Error) => error);
const snapshots = (trial: Trial) =>
  readdirSync(trial.data)
    .filter((name) => /^snapshot-\d+\.bourse$/.test(name))
    .sort()
    .join();

const failedSnapshots = (trial: Trial) => trial.venue.complaints().split('"type":"SnapshotFailed"').length;

const VIEWS: Readonly<Record<string, View>> = {
  history: {
    part: "/history.sqlite",
    action: (trial) => trial.trade(),
    shows: (trial) => until("the end of history", async () => (await trial.storage()).history !== "writing"),
    comesBack: (trial) => until("history", async () => (await trial.storage()).history === "writing"),
  },
  "the audit trail": {
    part: "/audit-trail.sqlite",
    action: (trial) => trial.deposit(),
    shows: (trial) => until("the end of the trail", async () => (await trial.storage()).audit_trail === "behind"),
    comesBack: (trial) => until("the trail", async () => (await trial.storage()).audit_trail === "writing"),
  },
  snapshots: {
    part: "/snapshot-",
    async action(trial) {
      const before = failedSnapshots(trial);
      await trial.tradeInBatches(1_000);
      return before;
    },
    shows: (trial, before) => until("a sentence", () => failedSnapshots(trial) > Number(before)),
    async comesBack(trial) {
      const before = snapshots(trial);
      await trial.tradeInBatches(1_000);
      await until("a snapshot", () => snapshots(trial) !== before);
    },
  },
  backups: {
    part: "/backups",
    action: (trial) => asked(trial, "/admin/backups", {}),
    shows: async (_, came) =>
      assert.match(said(came), /4001 No backup was made \(.+\)\. Look at the disk of .+ and make room/),
    comesBack: async (trial) => assert.match((await trial.venue.admin("/admin/backups", {})).file, /backup-/),
  },
  "states that are kept": {
    part: "/marks",
    action: (trial) => asked(trial, "/admin/snapshots", { name: "kept" }),
    shows: async (_, came) =>
      assert.match(said(came), /4001 The state was not kept \(.+\)\. Look at the disk of .+marks/),
    comesBack: async (trial) =>
      assert.equal((await trial.venue.admin("/admin/snapshots", { name: "kept" })).name, "kept"),
  },
};

for (const [name, { part, action, shows, comesBack }] of Object.entries(VIEWS)) {
  test(`trading goes on while ${name} cannot be written, and nothing is missing afterwards`, DISK, async (t) => {
    const trial = new Trial(t);
    await trial.start();
    await trial.trade();
    for (const fault of DISK_FAULTS) {
      trial.disk.fail(fault, part);
      const came = await action(trial);
      if (fault === "slow") await until("a slow write", () => trial.disk.struck > 0);
      else await shows(trial, came);
      assert.ok(trial.disk.struck > 0, `${fault} has struck`);
      await trial.trade();
      assert.equal((await fetch(`${trial.venue.url}/readyz`)).status, 200, fault);
      trial.disk.heal();
      await comesBack(trial);
      await trial.assertWhole();
    }
    assert.doesNotMatch(trial.venue.complaints(), /failed unexpectedly/);
    assert.equal(await trial.venue.end("SIGTERM"), 0);
    const audit = spawnSync(process.execPath, [mainProgram(), "audit", "--data", trial.data], { encoding: "utf8" });
    assert.equal(audit.status, 0, audit.stdout + audit.stderr);
  });
}

test(
  "a log that cannot be written ends the venue with a sentence, and all that was acknowledged is there",
  DISK,
  async (t) => {
    const trial = new Trial(t);
    for (const part of ["/log.sqlite", "/acknowledged"]) {
      for (const fault of DISK_FAULTS) {
        await trial.start();
        await trial.assertWhole();
        trial.disk.fail(fault, part);
        if (fault === "slow") await trial.trade();
        else {
          await assert.rejects(trial.client.post("/v2/spot/order", ORDER), fault);
          assert.equal(await trial.venue.exited, 1);
          assert.match(
            trial.venue.complaints(),
            /bourse: The log failed at the step "\w+" \(.+\)\. No command of that group was acknowledged\./,
          );
        }
        trial.disk.heal();
        await trial.venue.end("SIGKILL");
      }
    }
    await trial.start();
    // What was under way may have come to be; of what was acknowledged nothing is missing.
    await trial.assertWhole();
  },
);

test("what is written beside the venue's work fails with a line in the log, and is made later", DISK, async (t) => {
  const trial = new Trial(t);
  trial.disk.fail("ENOSPC", "/reserve");
  await trial.start();
  await until("a try", () => trial.disk.struck > 0);
  assert.equal(existsSync(join(trial.data, "reserve")), false);
  trial.disk.heal();
  await until("the reserve", () => existsSync(join(trial.data, "reserve")));

  for (const fault of ["ENOSPC", "EIO", "EROFS"] as const) {
    trial.disk.fail(fault, "/mail/");
    const body = JSON.stringify({ email: `${fault.toLowerCase()}@example.com`, password: "a sentence of her own" });
    const headers = { "content-type": "application/json", origin: trial.venue.url };
    const lines = () => trial.venue.complaints().split("a mail could not be sent").length;
    const before = lines();
    const answered = await fetch(`${trial.venue.url}/web/sign-up`, { method: "POST", headers, body });
    assert.match(await answered.text(), /"code":0/);
    await until("a line", () => lines() > before);
    trial.disk.heal();
  }

  trial.disk.fail("EROFS", "/monitor.json");
  assert.equal(await trial.venue.end("SIGTERM"), 0);
  assert.match(trial.venue.complaints(), /the figures over time could not be written; they are kept in memory/);
  trial.disk.heal();
  await trial.start();
  await trial.assertWhole();
});

test(
  "a start that finds a file it cannot write ends with a sentence, and the next one serves all that was acknowledged",
  DISK,
  async (t) => {
    const trial = new Trial(t);
    // A first start leaves nothing behind that stops the next one.
    for (const [fault, part] of [
      ["ENOSPC", "/venue/"],
      ["EROFS", "/venue"],
      ["ENOSPC", "/secret.key"],
      ["EIO", "/log.sqlite"],
    ] as const) {
      trial.disk.fail(fault, part);
      assert.match(await trial.failsToStart(), STOPPED, `${fault} at ${part}`);
      trial.disk.heal();
    }
    await trial.start();
    await trial.trade();
    assert.equal(await trial.venue.end("SIGTERM"), 0);
    for (const part of [
      "/log.sqlite",
      "/acknowledged",
      "/history.sqlite",
      "/audit-trail.sqlite",
      "/lock.sqlite",
      "/admin-url",
    ]) {
      trial.disk.fail("EROFS", part);
      const message = await trial.failsToStart();
      if (message !== "it started") assert.match(message, STOPPED, part);
      t.diagnostic(`${part}: ${message.trim()}`);
      trial.disk.heal();
    }
    await trial.start();
    await trial.assertWhole();
  },
);

test(
  "commands that write elsewhere fail with a sentence, leave nothing half done, and do no harm to the venue",
  DISK,
  async (t) => {
    const trial = new Trial(t);
    await trial.start();
    await trial.tradeInBatches(1_000);
    await trial.trade();
    assert.equal(await trial.venue.end("SIGTERM"), 0);
    const to = mkdtempSync(join(tmpdir(), "bourse-elsewhere-"));
    t.after(() => rmSync(to, { recursive: true, force: true }));
    const bourse = (...args: string[]) =>
      spawnSync(process.execPath, [mainProgram(), ...args], { encoding: "utf8", env: trial.disk.env });
    const backup = join(to, "sound.tar");
    assert.equal(bourse("backup", "--to", backup, "--data", trial.data).status, 0);
    const commands: Readonly<Record<string, readonly string[]>> = {
      "/elsewhere-backup": ["backup", "--data", trial.data, "--to", join(to, "elsewhere-backup.tar")],
      "/elsewhere-restored": ["restore", backup, "--data", join(to, "elsewhere-restored")],
      "/elsewhere-fork": ["fork", "--from", trial.data, "--data", join(to, "elsewhere-fork")],
      "/elsewhere-archive": ["archive", "--data", trial.data, "--before", "500", "--to", join(to, "elsewhere-archive")],
    };
    for (const [part, args] of Object.entries(commands)) {
      for (const fault of ["ENOSPC", "EIO", "EROFS"] as const) {
        trial.disk.fail(fault, part);
        const { status, stderr } = bourse(...args);
        assert.ok(trial.disk.struck > 0, `${args[0]} ${fault} has struck`);
        trial.disk.heal();
        assert.equal(status, 1, `${args[0]} ${fault}: ${stderr}`);
        assert.match(stderr, /^bourse: [A-Z].+\.\s*$/, `${args[0]} ${fault}`);
        assert.deepEqual(
          readdirSync(to).filter((name) => name.startsWith("elsewhere") && !name.startsWith("elsewhere-archive")),
          [],
        );
      }
      assert.equal(bourse(...args).status, 0, `${args[0]} when the disk is sound again`);
      for (const name of readdirSync(to).filter(
        (each) => each.startsWith("elsewhere") && part !== "/elsewhere-archive",
      ))
        rmSync(join(to, name), { recursive: true });
    }
    const shown = spawnSync(
      "sh",
      ["-c", `"$0" "$1" log --data "$2" > /dev/full`, process.execPath, mainProgram(), trial.data],
      { encoding: "utf8" },
    );
    assert.equal(shown.status, 1, shown.stderr);
    assert.match(shown.stderr, /^bourse: [A-Z].+\.\s*$/);
    await trial.start();
    await trial.assertWhole();
  },
);
