/** Forks: a dev venue that is what another was right after a command, without what let anybody in there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { chainBooks, newChainBook } from "../../src/engine/chains/chain-book.ts";
import { Engine } from "../../src/engine/engine.ts";
import { identities } from "../../src/engine/identity/identities.ts";
import { recordWords, WordBuffer } from "../../src/engine/words.ts";
import { forkVenue } from "../../src/lab/dev/fork.ts";
import { takeOutSecrets } from "../../src/lab/dev/secrets-of-fork.ts";
import { LogReader } from "../../src/log/reader.ts";
import { hashOf } from "../../src/venue/machine.ts";
import { mainProgram } from "../support/program.ts";
import { VenueProcess } from "../support/venue-process.ts";

const MAIN = mainProgram();
const OPTIONS = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--clock", "virtual", "--accounts", "fixed"];
const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};
const ORDER = { market: "BTCUSDT", market_type: "SPOT" };

const dir = mkdtempSync(join(tmpdir(), "bourse-fork-"));
after(() => rmSync(dir, { recursive: true, force: true }));

function bourse(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The hash of the state right after a command, one command after the other. */
function hashAt(data: string, seq: number): string {
  const reader = new LogReader(data);
  const engine = new Engine();
  engine.state.rulesVersion = 1;
  for (const { firstSeq, timeMs, payload } of reader.groups(1, seq)) {
    const records = WordBuffer.over(payload);
    let at = 0;
    for (let next = firstSeq; at < records.length && next <= seq; at += recordWords(records, at), next++)
      engine.apply(records, at, next, timeMs);
  }
  reader.close();
  return hashOf(engine);
}

test("a fork is what the other venue was at that command, and lets nobody in by what its log tells", async () => {
  const data = join(dir, "source");
  const venue = await VenueProcess.start(data, ...OPTIONS);
  const alice = venue.client(ALICE);
  await alice.act("/v2/spot/order", { ...ORDER, side: "buy", type: "market", amount: "500" });
  await alice.act("/v2/spot/order", { ...ORDER, side: "buy", type: "limit", amount: "0.01", price: "50000" });
  await venue.admin("/admin/clock", { advance_ms: 120_000 });
  const { seq, state_hash } = await venue.admin("/admin/status");
  const deals = await alice.read("/v2/spot/user-deals", ORDER);
  const candles = await alice.read("/v2/spot/kline", { market: "BTCUSDT", period: "1min" });
  assert.equal(deals.length > 0, true);
  await alice.act("/v2/spot/order", { ...ORDER, side: "sell", type: "market", amount: "0.001" });
  await venue.admin("/admin/operators", { name: "olga", role: "viewer" });

  // Beside the venue at work.
  const at = join(dir, "at");
  const made = bourse("fork", "--from", data, "--at", String(seq), "--data", at, "--json");
  assert.equal(made.status, 0, made.stderr);
  const report = JSON.parse(made.stdout);
  assert.deepEqual([report.seq, report.state_hash, report.source_state_hash], [seq, state_hash, state_hash]);
  assert.deepEqual([report.keys, report.notes], [[], []]);
  const fork = await VenueProcess.start(at, ...OPTIONS, "--makers", "off");
  assert.equal((await fork.admin("/admin/status")).state_hash, state_hash);
  assert.deepEqual(await fork.client(ALICE).read("/v2/spot/user-deals", ORDER), deals);
  assert.deepEqual(await fork.client(ALICE).read("/v2/spot/kline", { market: "BTCUSDT", period: "1min" }), candles);
  // A fork has a first start of its own.
  await fork.client(ALICE).act("/v2/spot/order", { ...ORDER, side: "buy", type: "limit", amount: "1", price: "1000" });
  assert.equal((await fork.admin("/admin/reset", {})).state_hash, state_hash);
  assert.equal(await fork.end("SIGTERM"), 0);
  assert.equal(bourse("audit", "--data", at).status, 0);
  const config = join(dir, "production.json");
  writeFileSync(config, JSON.stringify({ profile: "production", data: at, port: 0, "admin-port": 0 }));
  rmSync(join(at, "dev-accounts.json"));
  const refused = bourse("start", "--config", config);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr + refused.stdout, /does not start on a fork/);
  await venue.end("SIGKILL");

  // What an operator copies from another machine: the log alone.
  const copy = join(dir, "copy");
  mkdirSync(copy);
  for (const name of ["log.sqlite", "log.sqlite-wal"])
    if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copy, name));
  const whole = await forkVenue(copy, undefined, join(dir, "whole"));
  assert.equal(whole.sourceStateHash, hashAt(copy, whole.seq));
  assert.notEqual(whole.stateHash, whole.sourceStateHash);
  assert.deepEqual(
    whole.keys.map(({ name }) => name),
    ["alice", "bob"],
  );
  assert.deepEqual(whole.notes, ["Operators taken out: olga."]);
  const other = await VenueProcess.start(join(dir, "whole"), ...OPTIONS, "--makers", "off");
  assert.equal((await other.client(ALICE).get("/v2/assets/spot/balance")).code, 4005, "the old key is unknown");
  const { accessId, secret } = whole.keys[0] as (typeof whole.keys)[number];
  assert.equal((await other.client({ accessId, secret }).get("/v2/assets/spot/balance")).code, 0);
  const { operators } = await other.admin("/admin/operators");
  assert.deepEqual(
    operators.map(({ name }: { name: string }) => name),
    ["root"],
  );
  assert.equal(await other.end("SIGTERM"), 0);

  // Within a group of commands, too.
  assert.equal((await forkVenue(copy, 9, join(dir, "early"))).sourceStateHash, hashAt(copy, 9));
  const beyond = bourse("fork", "--from", copy, "--at", String(whole.seq + 1), "--data", join(dir, "beyond"));
  assert.equal(beyond.status, 1);
  assert.match(beyond.stderr, new RegExp(`ends at seq ${whole.seq}; there is no seq ${whole.seq + 1}`));
  assert.equal(existsSync(join(dir, "beyond")), false);
  await assert.rejects(forkVenue(copy, 9, join(dir, "early")), /is not empty/);
  assert.equal(bourse("fork", "--from", copy, "--at", "x", "--data", join(dir, "x")).status, 2);
  assert.equal(readFileSync(join(dir, "early", "log.sqlite")).includes("olga"), false);
});

test("what people sign in with and keys of hot wallets are taken out", () => {
  const { state } = new Engine();
  identities.of(state).set({
    ...{ userId: 1, email: "ann@example.org", passwordCipher: "p", totpCipher: "t", totpStep: 0, recoveryHashes: [] },
    ...{ passkeys: [], withdrawFrom: 0, createdAt: 0 },
  });
  chainBooks.of(state).set("ETH", { ...newChainBook(), seedCipher: "sealed" });
  chainBooks.of(state).set("SIM", newChainBook());
  assert.deepEqual(takeOutSecrets(state), [
    "E-mail addresses with all that people signed in with, taken out: 1.",
    "The keys of ETH and 0 signed payments were taken out.",
  ]);
  assert.equal(identities.of(state).withEmail("ann@example.org"), undefined);
  assert.deepEqual([...chainBooks.of(state).keys()], ["SIM"]);
  assert.deepEqual(takeOutSecrets(state), []);
});
