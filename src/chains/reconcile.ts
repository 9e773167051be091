/** Holds what the ledger says is in custody against what chains say is there. */

import type { Asset } from "../engine/listing/asset.ts";
import { formatDecimal, parseDecimal } from "../engine/money/decimal.ts";
import { payments } from "../engine/payments/payments.ts";
import { isOpen } from "../engine/payments/withdrawal.ts";
import type { State } from "../engine/state.ts";
import type { Chain, Holding } from "./chain.ts";

/** Of one currency, in decimals. */
export interface Held {
  readonly ccy: string;
  /**
   * The amount that should be there: custody by the ledger, less what chains have paid out and the ledger has not
   * booked yet.
   */
  readonly ledger: string;
  readonly hot: string;
  readonly unswept: string;
  readonly cold: string;
  /** Outside of all chains, by the settings. */
  readonly elsewhere: string;
  /**
   * The amount that the ledger has beyond all of these, and beyond what transactions on their way may cost; 0 when it
   * is covered.
   */
  readonly missing: string;
}

export interface Reconciled {
  readonly ok: boolean;
  /**
   * Whether all chains were asked, at a moment at which the log knew all that they showed: only then a shortfall is
   * one.
   */
  readonly isWhole: boolean;
  /** Chains that could not be asked, and currencies that are short. */
  readonly troubles: readonly string[];
  readonly currencies: readonly Held[];
}

export async function reconcile(
  state: State,
  chains: readonly Chain[],
  elsewhere: ReadonlyMap<string, string>,
): Promise<Reconciled> {
  const troubles: string[] = [];
  const held = await Promise.all(
    chains.map((chain) =>
      holdingsOf(state, chain).catch((error: Error) => {
        troubles.push(error.message);
        return undefined;
      }),
    ),
  );
  const holdings = held.flatMap((one) => one ?? []);
  // Read after the chains have answered: what they have paid out by then is known to the log, or comes with the next
  // look.
  const names = new Set(chains.map(({ name }) => name));
  const assets = state.assets.filter((asset) => asset.chains.some(({ chain }) => names.has(chain)));
  const currencies = assets.map((asset) => heldOf(state, asset, holdings, elsewhere.get(asset.ccy) ?? "0"));
  const isWhole = troubles.length === 0;
  for (const { ccy, missing } of currencies) {
    // Of a chain that says nothing nobody knows what is missing.
    if (isWhole && /[1-9]/.test(missing))
      troubles.push(
        `The ledger has ${missing} ${ccy} more than all that holds it: what an operator credits has to come to ` +
          "a hot wallet as well, or be named in the setting custody-elsewhere.",
      );
  }
  return { ok: troubles.length === 0, isWhole, troubles, currencies };
}

async function holdingsOf(state: State, chain: Chain): Promise<readonly Holding[]> {
  const moving = state.assets.filter(({ chains }) => chains.some((settings) => settings.chain === chain.name));
  return await chain.holdings(moving.map(({ ccy }) => ccy));
}

function heldOf(state: State, asset: Asset, holdings: readonly Holding[], elsewhere: string): Held {
  const { ccy, scale, id } = asset;
  const own = holdings.filter((holding) => holding.ccy === ccy);
  const sum = (read: (holding: Holding) => string) =>
    own.reduce((total, holding) => total + (parseDecimal(read(holding), scale) ?? 0n), 0n);
  const [hot, unswept, cold, costs] = [
    sum((one) => one.hot),
    sum((one) => one.unswept),
    sum((one) => one.cold),
    sum((one) => one.costs),
  ];
  const outside = parseDecimal(elsewhere, scale) ?? 0n;
  const ledger = state.ledger.custody(id) - paidOut(state, id);
  const missing = ledger - hot - unswept - cold - outside - costs;
  const text = (units: bigint) => formatDecimal(units, scale);
  return {
    ccy,
    ledger: text(ledger),
    hot: text(hot),
    unswept: text(unswept),
    cold: text(cold),
    elsewhere: text(outside),
    missing: text(missing > 0n ? missing : 0n),
  };
}

/** Units that stand in a block as paid, and are still booked as held, because the block is young. */
function paidOut(state: State, assetId: number): bigint {
  let units = 0n;
  for (const one of payments.of(state).withdrawals.values()) {
    if (one.assetId === assetId && one.height > 0 && isOpen(one)) units += one.actualAmount;
  }
  return units;
}
