/** The figures of refusals for want of balance: what is available, and what was needed. Source: domain 2.4 and 6.1. */
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { transferable } from "../../../engine/wallet/transfer.ts";
import { type AskedFor, type FigureSource, marketIn } from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";
import { balanceOfOrder } from "../trading/figures.ts";

/**
 * Of a command that names a currency: what the user has available of it, in the account that it is to be taken from.
 */
function balanceOfCommand(asked: AskedFor): Figures | undefined {
  const { state, command } = asked;
  const { ccy, userId, amount, from, isIn } = command as unknown as Readonly<Record<string, unknown>>;
  const asset = typeof ccy === "string" ? state.assetByCcy.get(ccy) : undefined;
  if (asset === undefined || typeof userId !== "number") return undefined;
  const needed: Figures = typeof amount === "string" ? { needed: amount } : {};
  if (from === "FUTURES") {
    const free = formatDecimal(transferable(state, userId, asset), asset.scale);
    return { ccy: asset.ccy, available: free, ...needed, account: "FUTURES" };
  }
  if (command.kind === "transfer_margin" && isIn === false) {
    return { ccy: asset.ccy, available: availableInMargin(asked, userId, asset), ...needed, account: "MARGIN" };
  }
  return { ccy: asset.ccy, available: availableOf(state, userId, asset), ...needed, account: "SPOT" };
}

function availableInMargin(asked: AskedFor, userId: number, { id, scale }: Asset): string {
  const { margin, ledger } = asked.state;
  const market = marketIn(asked);
  const row = market === undefined ? -1 : margin.accounts.find(userId, market.id);
  if (market === undefined || row < 0) return formatDecimal(0n, scale);
  return formatDecimal(ledger.available(margin.accounts.cell(row, id === market.quoteAssetId)), scale);
}

function availableOf({ ledger }: AskedFor["state"], userId: number, { id, scale }: Asset): string {
  const cell = ledger.findSpotCell(userId, id);
  return formatDecimal(cell < 0 ? 0n : ledger.available(cell), scale);
}

export const WALLET_FIGURES: Readonly<Record<string, FigureSource>> = {
  insufficient_balance: (asked) => balanceOfOrder(asked) ?? balanceOfCommand(asked),
};
