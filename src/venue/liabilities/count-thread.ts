import { Worker } from "node:worker_threads";
import { worthOwed } from "../../engine/liabilities/owed.ts";
import type { State } from "../../engine/state.ts";
import { OwedRows } from "../../liabilities/gather.ts";
import type { SumTreeParts } from "../../liabilities/sum-tree.ts";

/**
 * The input of the thread: a copy of the ledger's rows, what is owed besides, and the key of each currency's tree by
 * its id.
 */
export interface CountWorkerData {
  readonly ledger: Uint8Array<ArrayBuffer>;
  readonly worth: Pick<OwedRows, "accounts" | "assets" | "units" | "count">;
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
}

/** By ascending currency id. */
export type CountedTrees = readonly (readonly [assetId: number, tree: SumTreeParts])[];

/**
 * Counts what the venue owes as of now while it goes on: the rows of the ledger are copied at once, as they lie in
 * memory, and a thread of its own makes the trees. `trees` rejects when the thread ends before it is done, for want of
 * memory or because it was ended.
 */
export class CountThread {
  readonly trees: Promise<CountedTrees>;
  readonly #worker: Worker;

  constructor(state: State, keyOf: (assetId: number) => Uint8Array<ArrayBuffer>) {
    const worth = new OwedRows();
    worthOwed(state, worth.add);
    const { accounts, assets, units, count } = worth;
    const ledger = state.ledger.rowBytes(state.ledger.count);
    const keys = state.assets.map(({ id }) => keyOf(id));
    const workerData: CountWorkerData = { ledger, worth: { accounts, assets, units, count }, keys };
    const url = new URL("./count-worker.ts", import.meta.url);
    const transferList = [ledger.buffer, accounts.buffer, assets.buffer, units.buffer];
    this.#worker = new Worker(url, { workerData, transferList, name: "liabilities", execArgv: [] });
    this.trees = new Promise((resolve, reject) => {
      this.#worker.on("message", resolve);
      this.#worker.on("error", reject);
      this.#worker.on("exit", () => reject(new Error("The thread that counts liabilities has ended.")));
    });
    // A venue that stops does not wait for it.
    this.#worker.unref();
  }

  end(): void {
    void this.#worker.terminate();
  }
}
