/** Figures of chains: whether they can be used, how far they were read, and whether they hold what the ledger says. */
import { haltOf } from "../engine/chains/withdrawal-halt.ts";
import type { State } from "../engine/state.ts";
import type { ChainRow } from "../gateway/admin/backend.ts";
import { type Labels, type MetricsRegistry, oncePerTurn } from "./metrics.ts";
import { type WaitingByChain, waitingByChain } from "./waiting-withdrawals.ts";

/** The rows and holdings that the figures are read from. */
export interface ChainSource {
  list(waiting: WaitingByChain): readonly ChainRow[];
  /** Of the last reconciliation; empty before the first. */
  readonly held: readonly {
    readonly ccy: string;
    readonly ledger: string;
    readonly hot: string;
    readonly unswept: string;
    readonly cold: string;
    readonly elsewhere: string;
    readonly missing: string;
  }[];
}

export function registerChainFigures(registry: MetricsRegistry, state: State, source: ChainSource | undefined): void {
  registry.read("gauge", "bourse_withdrawals_halted", "Whether withdrawals over chains are halted (1).", () =>
    haltOf(state) === undefined ? 0 : 1,
  );
  // A scrape reads all figures, and there may be a million withdrawals: they are walked through once for it.
  const waiting = oncePerTurn(() => waitingByChain(state));
  const rows = oncePerTurn(() => source?.list(waiting()) ?? []);
  const chains = (read: (row: ChainRow) => number) =>
    rows().map((row): [Labels, number] => [{ chain: row.chain, kind: row.kind }, read(row)]);
  registry.read("gauge", "bourse_chain_height", "Last block of a chain that was read.", () =>
    chains(({ height }) => height),
  );
  registry.read("gauge", "bourse_chain_trouble", "Whether something keeps a chain from being used (1).", () =>
    chains(({ trouble }) => (trouble === "" ? 0 : 1)),
  );
  registry.read(
    "gauge",
    "bourse_withdrawal_unpaid_seconds",
    "Age of the oldest withdrawal over a chain that may be paid and is not signed yet, in venue time.",
    () => unpaid(state, waiting()),
  );
  registry.read("gauge", "bourse_chain_payments", "Payments that are signed and do not stand for good yet.", () =>
    chains(({ payments }) => payments),
  );
  registry.read("gauge", "bourse_chain_unswept", "Addresses of users that are still to be swept.", () =>
    chains(({ unswept }) => unswept),
  );
  registry.read("gauge", "bourse_chain_custody", "What is held, by currency and place, as chains said last.", () =>
    custody(source),
  );
  registry.read("gauge", "bourse_chain_ledger", "What the ledger says is in custody of what moves on chains.", () =>
    (source?.held ?? []).map(({ ccy, ledger }): [Labels, number] => [{ ccy }, Number(ledger)]),
  );
  registry.read("gauge", "bourse_chain_missing", "What the ledger has beyond all that holds it.", () =>
    (source?.held ?? []).map(({ ccy, missing }): [Labels, number] => [{ ccy }, Number(missing)]),
  );
}

/** Whatever keeps them from being paid: also what no chain tells of. */
function* unpaid({ timeMs }: State, waiting: WaitingByChain): Generator<[Labels, number]> {
  for (const [chain, { unpaidSince }] of waiting) {
    if (unpaidSince !== undefined) yield [{ chain }, Math.max(0, timeMs - unpaidSince) / 1_000];
  }
}

function* custody(source: ChainSource | undefined): Generator<[Labels, number]> {
  for (const { ccy, hot, unswept, cold, elsewhere } of source?.held ?? []) {
    for (const [place, amount] of Object.entries({ hot, unswept, cold, elsewhere }))
      yield [{ ccy, place }, Number(amount)];
  }
}
