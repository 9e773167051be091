/**
 * Every bound of what somebody outside can make grow stands in the table of docs/reference/bounds.md with its figure,
 * and every module that has a bound is there, or here with what it bounds instead.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * What a process that serves clients consists of. The engine's bounds are rules, and stand in docs/reference/domain.md.
 */
const ROOMS = ["chains", "cluster", "feeds", "gateway", "history", "lab/dev", "log", "net", "venue"];
const BOUND = /^(?:export )?const (\w+_(?:MAX|KEPT)) = ([\d_ *+]+);/gm;
/** Sizes of one value, and figures that bound no memory. */
const OF_A_VALUE =
  /(?:CHARS|MS|MIB|RATE|SCALE|DAYS|PRICE|ZEROS|DEPTH|LEVERAGE|MINUTES|CONFIRMATIONS|ID|SEED|PORT|DECIMALS|DOUBLINGS|SPEED|PAGE|COUNT|EDITS|EVERY|TIME|WORDS|OWN_BYTES|HEAD_BYTES|FIGURES)_MAX$/;

const MESSAGE = "one request, answer or message";
const FILE = "one file or setting, which the operator has written";
const LISTING = "what an operator lists";
const OWN = "the venue's own work in one step";

/** Modules of which nobody outside can fill what is bounded there. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "chains/evm/treasury.ts": OWN,
  "chains/evm/json-rpc.ts": MESSAGE,
  "cluster/log-archive.ts": OWN,
  "cluster/missing-groups.ts": OWN,
  "cluster/retention.ts": OWN,
  "feeds/private-feed.ts": LISTING,
  "feeds/second-queue.ts": OWN,
  "gateway/admin/page.ts": MESSAGE,
  "gateway/admin/search.ts": MESSAGE,
  "gateway/auth/passkeys.ts": MESSAGE,
  "gateway/http/announced.ts": MESSAGE,
  "gateway/http/request-context.ts": MESSAGE,
  "gateway/legacy/sent.ts": MESSAGE,
  "gateway/legacy/sockets/channels/klines.ts": MESSAGE,
  "gateway/limits/shared/shared-quotas.ts": OWN,
  "gateway/parts/accounts/account-calls.ts": MESSAGE,
  "gateway/parts/chains/chain-calls.ts": MESSAGE,
  "gateway/parts/listing/candle-calls.ts": MESSAGE,
  "gateway/parts/listing/listing-calls.ts": LISTING,
  "gateway/parts/operators/operator-calls.ts": MESSAGE,
  "gateway/parts/payments/legacy-payment-records.ts": MESSAGE,
  "gateway/parts/referral/referral.ts": MESSAGE,
  "gateway/parts/trading/figures.ts": MESSAGE,
  "gateway/reading/adl-levels.ts": OWN,
  "gateway/reading/market-printer.ts": LISTING,
  "gateway/web/key-calls.ts": MESSAGE,
  "gateway/web/withdraw-address-calls.ts": MESSAGE,
  "gateway/ws/channels/deals.ts": MESSAGE,
  "gateway/ws/connection.ts": OWN,
  "gateway/ws/push.ts": OWN,
  "history/candles/candle-queries.ts": MESSAGE,
  "history/candles/candle-writer.ts": LISTING,
  "history/page.ts": MESSAGE,
  "history/backfill.ts": OWN,
  "history/sqlite/history-file.ts": FILE,
  "log/chain.ts": OWN,
  "log/group-batch.ts": OWN,
  "log/log-file.ts": OWN,
  "log/log-worker.ts": OWN,
  "log/log-writer.ts": OWN,
  "log/read-ahead.ts": OWN,
  "log/snapshot-file.ts": FILE,
  "venue/backup/lock-files.ts": FILE,
  "venue/backup/tar.ts": FILE,
  "venue/backup/verify.ts": FILE,
  "venue/chain-settings.ts": FILE,
  "venue/invariant-monitor.ts": OWN,
  "venue/local-admin.ts": FILE,
  "venue/setting-table.ts": FILE,
  "venue/setting-values.ts": FILE,
};

interface Bound {
  readonly name: string;
  readonly value: number;
}

/** The table's rows, each with the modules that it names; a folder stands for those in it. */
function rows(): readonly { readonly text: string; readonly modules: readonly string[] }[] {
  const [, chapter = ""] = readFileSync(join(repositoryRoot, "docs/reference/bounds.md"), "utf8").split(
    "## What is bounded",
  );
  const [table = ""] = chapter.split("\n## ");
  return table
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((text) => ({
      text,
      modules: [...text.matchAll(/`([\w/-]+(?:\.ts|\/)?)`/g)].map(([, name]) => name as string),
    }));
}

function bounds(): ReadonlyMap<string, readonly Bound[]> {
  const found = new Map<string, Bound[]>();
  for (const file of repositoryFiles("src")) {
    const [, room = "", rest = ""] = /^src\/(lab\/dev|\w+)\/(.*)$/.exec(file) ?? [];
    if (!ROOMS.includes(room) || !file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    for (const [, name = "", formula = ""] of readFileSync(join(repositoryRoot, file), "utf8").matchAll(BOUND)) {
      if (OF_A_VALUE.test(name)) continue;
      const value = formula
        .replaceAll("_", "")
        .split("+")
        .map((term) => term.split("*").reduce((product, factor) => product * Number(factor), 1))
        .reduce((sum, term) => sum + term, 0);
      const module = `${room}/${rest}`;
      found.set(module, [...(found.get(module) ?? []), { name, value }]);
    }
  }
  return found;
}

const stands = (module: string, named: string) =>
  `/${module}`.endsWith(`/${named}`) || `/${module}`.includes(`/${named.replace(/\/$/, "")}/`);

function spellings(value: number): readonly string[] {
  const [kib, mib] = [value / 1024, value / 1024 ** 2];
  return [value.toLocaleString("en-US"), ...(mib >= 1 ? [`${mib} MiB`] : []), ...(kib >= 1 ? [`${kib} KiB`] : [])];
}

test("every bound that somebody outside can fill stands in the table with its figure", () => {
  const all = bounds();
  assert.ok(all.size > 60, `${all.size} modules have bounds`);
  const table = rows();
  const wrong: string[] = [];
  for (const [module, own] of all) {
    const its = table.filter(({ modules }) => modules.some((named) => stands(module, named)));
    if (module in ELSEWHERE) {
      if (its.length > 0) wrong.push(`${module} stands in the table, and in this test as well.`);
      continue;
    }
    if (its.length === 0)
      wrong.push(`${module} bounds ${own.map(({ name }) => name).join(", ")}, of which the table says nothing.`);
    for (const { name, value } of its.length === 0 ? [] : own) {
      const isTold = its.some(({ text }) =>
        spellings(value).some((spelt) => new RegExp(`(?<![\\d,.])${spelt}(?![\\d]|,\\d)`).test(text)),
      );
      if (!isTold) wrong.push(`${module}: the table does not say that ${name} is ${spellings(value).at(-1)}.`);
    }
  }
  for (const module of Object.keys(ELSEWHERE)) if (!all.has(module)) wrong.push(`${module} has no bound any more.`);
  assert.deepEqual(wrong, []);
});

test("every module that the table names is there", () => {
  const files = repositoryFiles("src").map((file) => file.slice("src/".length));
  const gone = rows()
    .flatMap(({ modules }) => modules)
    .filter((named) => named.includes("/") && !files.some((file) => stands(file, named)));
  assert.deepEqual(gone, []);
});
