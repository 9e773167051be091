import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Command, encodeCommand, type PlaceOrder } from "../../src/engine/command.ts";
import { SNAPSHOT_FORM, takeSnapshot } from "../../src/engine/snapshot.ts";
import { WordBuffer } from "../../src/engine/words.ts";
import { openDataDir } from "../../src/log/data-dir.ts";
import { openLogWriter } from "../../src/log/log-writer.ts";
import { recover } from "../../src/log/recovery.ts";
import { writeSnapshot } from "../../src/log/snapshot-file.ts";
import { EngineMachine } from "../../src/venue/machine.ts";

/** 2025-06-15 15:06:40 UTC; each group is a second later than the one before. */
const START_MS = 1_750_000_000_000;

export const order = (
  userId: number,
  side: "buy" | "sell",
  amount: bigint,
  price: bigint,
  clientId = "",
): PlaceOrder => ({
  kind: "place_order",
  userId,
  marketId: 0,
  account: "spot",
  side,
  type: "limit",
  amountIn: "base",
  amount,
  price,
  hidden: false,
  stpMode: "none",
  clientId,
});

/** BTC and USDT with their market, alice with both, and a deal with herself. Sixteen commands in six groups. */
export const GROUPS: readonly (readonly Command[])[] = [
  [
    { kind: "list_asset", actor: "admin", ccy: "BTC", scale: 8 },
    { kind: "list_asset", actor: "admin", ccy: "USDT", scale: 8 },
    {
      kind: "list_market",
      actor: "admin",
      market: "BTCUSDT",
      baseCcy: "BTC",
      quoteCcy: "USDT",
      amountPrecision: 6,
      pricePrecision: 2,
      minAmount: "0.0001",
      makerFeeRate: "0.001",
      takerFeeRate: "0.002",
    },
  ],
  [
    { kind: "create_user", actor: "admin", name: "alice" },
    { kind: "create_user", actor: "admin", name: "alice" },
    { kind: "deposit", actor: "admin", userId: 1, ccy: "BTC", amount: "10", note: "for a start" },
    { kind: "deposit", actor: "admin", userId: 1, ccy: "USDT", amount: "100000", note: "" },
    {
      kind: "create_api_key",
      actor: "admin",
      userId: 1,
      accessId: "KEY",
      secretCipher: "c2VjcmV0",
      permissions: ["read"],
      ipWhitelist: [],
      expiredAt: 0,
    },
  ],
  [{ kind: "tick" }],
  [order(1, "sell", 1_000_000n, 6_000_000n, "mine"), order(1, "buy", 500_000n, 6_000_000n)],
  [
    { kind: "modify_order", userId: 1, marketId: 0, orderId: 1, price: 6_100_000n },
    { ...order(1, "buy", 10_000_000_000n, 0n), type: "market", amountIn: "quote" },
    { kind: "cancel_order", userId: 1, marketId: 0, orderId: 99 },
  ],
  [
    { kind: "cancel_by_client_id", userId: 1, account: "spot", clientId: "mine" },
    { kind: "cancel_all_orders", userId: 1, marketId: 0, account: "spot", side: "buy" },
  ],
];

/** A data directory whose log holds `groups`, with a snapshot after the group at `snapshotAfter`. */
export async function logFolder(t: TestContext, groups = GROUPS, snapshotAfter = -1): Promise<string> {
  const dir = join(mkdtempSync(join(tmpdir(), "bourse-cli-")), "data");
  t.after(() => rmSync(join(dir, ".."), { recursive: true, force: true }));
  const dataDir = openDataDir(dir);
  const machine = new EngineMachine();
  const { end } = await recover(dataDir, machine);
  let durable = () => {};
  const writer = await openLogWriter(dataDir, end, {
    onDurable: () => durable(),
    onFault: (fault) => {
      throw fault;
    },
  });
  let firstSeq = 1;
  for (const [at, commands] of groups.entries()) {
    const records = new WordBuffer(64);
    for (const command of commands) encodeCommand(records, command);
    const group = { firstSeq, count: commands.length, timeMs: START_MS + at * 1_000, payload: records.copy() };
    await new Promise<void>((resolve) => {
      durable = resolve;
      writer.append(group);
    });
    machine.applyGroup(group);
    firstSeq += commands.length;
    if (at !== snapshotAfter) continue;
    const { seq, timeMs, rulesVersion } = machine.engine.state;
    const chunks = takeSnapshot(machine.engine.state);
    writeSnapshot(dir, { seq, timeMs, form: SNAPSHOT_FORM, rulesVersion, chunks });
  }
  await writer.close();
  dataDir.release();
  return dir;
}
