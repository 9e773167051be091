import { parentPort, workerData } from "node:worker_threads";
import { Ledger } from "../../engine/ledger/ledger.ts";
import { balancesOwed } from "../../engine/liabilities/owed.ts";
import "../../engine/parts.ts";
import { gather, OwedRows } from "../../liabilities/gather.ts";
import { makeSumTree } from "../../liabilities/sum-tree.ts";
import type { CountedTrees, CountWorkerData } from "./count-thread.ts";

function run({ ledger: rows, worth, keys }: CountWorkerData): CountedTrees {
  const ledger = new Ledger();
  ledger.load(rows);
  const owed = Object.assign(new OwedRows(), worth);
  balancesOwed(ledger, owed.add);
  return [...gather(owed)].map(([assetId, its]) => [
    assetId,
    makeSumTree(its, keys[assetId] as Uint8Array<ArrayBuffer>),
  ]);
}

/** All memory of the trees, which is handed over and not copied. */
function memoryOf(trees: CountedTrees): ArrayBuffer[] {
  const parts = trees.flatMap(([, { accounts, units, places, pieces, levels }]) => [
    ...[accounts, units, places, pieces],
    ...levels.flatMap((level) => [level.hashes, level.units]),
  ]);
  return parts.map(({ buffer }) => buffer);
}

const trees = run(workerData as CountWorkerData);
parentPort?.postMessage(trees, memoryOf(trees));
