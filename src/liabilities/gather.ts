/** Adds up the amounts owed to each account of each currency. */
import type { Owed } from "./sum-tree.ts";

/** Rows of what is owed, as they come: the same account and currency may come several times. */
export class OwedRows {
  accounts = new Int32Array(1_024);
  assets = new Int32Array(1_024);
  units = new BigInt64Array(1_024);
  count = 0;

  readonly add = (accountId: number, assetId: number, units: bigint): void => {
    const at = this.count++;
    if (at === this.accounts.length) this.#grow();
    this.accounts[at] = accountId;
    this.assets[at] = assetId;
    this.units[at] = units;
  };

  #grow(): void {
    const { accounts, assets, units } = this;
    const length = accounts.length * 2;
    this.accounts = new Int32Array(length);
    this.assets = new Int32Array(length);
    this.units = new BigInt64Array(length);
    this.accounts.set(accounts);
    this.assets.set(assets);
    this.units.set(units);
  }
}

type Rows = Pick<OwedRows, "accounts" | "assets" | "units" | "count">;

/** Adds up by currency and account; currencies of which nothing is owed are left out. By ascending ids. */
export function gather(rows: Rows): Map<number, Owed> {
  const byAsset = new Map<number, number[]>();
  let accountMax = 0;
  for (let at = 0; at < rows.count; at++) {
    if ((rows.units[at] as bigint) <= 0n) continue;
    const assetId = rows.assets[at] as number;
    const its = byAsset.get(assetId);
    if (its === undefined) byAsset.set(assetId, [at]);
    else its.push(at);
    accountMax = Math.max(accountMax, rows.accounts[at] as number);
  }
  // One sum for every account that there may be, of one currency after the other.
  const sums = new BigInt64Array(accountMax + 1);
  const inOrder = [...byAsset].sort(([one], [other]) => one - other);
  return new Map(inOrder.map(([assetId, its]) => [assetId, owedOf(rows, its, sums)]));
}

function owedOf(rows: Rows, its: readonly number[], sums: BigInt64Array): Owed {
  const accounts: number[] = [];
  for (const at of its) {
    const accountId = rows.accounts[at] as number;
    const before = sums[accountId] as bigint;
    if (before === 0n) accounts.push(accountId);
    sums[accountId] = before + (rows.units[at] as bigint);
  }
  const sorted = Int32Array.from(accounts).sort();
  const units = new BigInt64Array(sorted.length);
  for (const [row, accountId] of sorted.entries()) {
    units[row] = sums[accountId] as bigint;
    sums[accountId] = 0n;
  }
  return { accounts: sorted, units };
}
