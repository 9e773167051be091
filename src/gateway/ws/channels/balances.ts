import type { RareEvent } from "../../../engine/event.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { type OwnBalance, SPOT_ACCOUNT } from "../../../feeds/private-feed.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { Push } from "../push.ts";

/** The balances of an account: the currencies that a group of commands changed, as they are after it. */
export class BalanceChannel extends PrivateChannel {
  balances(clients: readonly Client[], balances: readonly OwnBalance[]): void {
    // Connections that follow the same of these currencies share a push; nearly always that is all of them.
    const pushes: { readonly list: string; readonly push: Push }[] = [];
    const told = balances.filter((balance) => this.isTold(balance));
    for (const client of clients) {
      const list = this.#listFor(client, told);
      if (list === "") continue;
      let shared = pushes.find((known) => known.list === list);
      if (shared === undefined) {
        shared = { list, push: this.update(this.joined(list)) };
        pushes.push(shared);
      }
      client.send(shared.push);
    }
  }

  /** Those of the balances that a client follows, joined by commas. */
  #listFor(client: Client, balances: readonly OwnBalance[]): string {
    let list = "";
    for (const balance of balances) {
      if (!this.#follows(client, balance)) continue;
      list = list === "" ? this.print(balance) : `${list},${this.print(balance)}`;
    }
    return list;
  }

  /** Whether the balances of an account are told of at all. */
  protected isTold(_balance: OwnBalance): boolean {
    return true;
  }

  /** Returns the data of a push about several balances, which are joined by commas. */
  protected joined(balances: string): string {
    return `{"balance_list":[${balances}]}`;
  }

  #follows(client: Client, { assetId }: OwnBalance): boolean {
    return this.subscribers.follows(client, this.assetOf(assetId).ccy);
  }

  /** Whose margin account comes near its liquidation is told so, with all that it has. */
  happened(event: RareEvent): void {
    if (event.type !== "margin_alert") return;
    const clients = this.context.clientsOf(event.userId);
    if (clients.length === 0) return;
    const { margin, ledger, markets } = this.context.backend.state;
    const market = markets[event.marketId] as Market;
    const row = margin.accounts.find(event.userId, market.id);
    if (row < 0) return;
    const risk = formatDecimal(BigInt(event.riskRateE8), 8);
    const balances = [market.baseAssetId, market.quoteAssetId].map((assetId): OwnBalance => {
      const cell = margin.accounts.cell(row, assetId === market.quoteAssetId);
      const [available, frozen] = [ledger.available(cell), ledger.frozen(cell)];
      return { marketId: market.id, assetId, available, frozen, updatedAt: this.context.backend.state.timeMs };
    });
    for (const client of clients) {
      const list = this.#listFor(client, balances);
      if (list === "") continue;
      client.send(this.update(`{"event":"alert","risk_rate":"${risk}","balance_list":[${list}]}`));
    }
  }

  protected print({ marketId, assetId, available, frozen, updatedAt }: OwnBalance): string {
    const { ccy, scale } = this.assetOf(assetId);
    const name = marketId === SPOT_ACCOUNT ? "" : (this.context.backend.state.markets[marketId] as Market).name;
    return (
      `{"margin_market":"${name}","ccy":"${ccy}","available":"${formatDecimal(available, scale)}",` +
      `"frozen":"${formatDecimal(frozen, scale)}","updated_at":${updatedAt}}`
    );
  }

  protected assetOf(assetId: number): Asset {
    return this.context.backend.state.assets[assetId] as Asset;
  }
}
