import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { OwnBalance } from "../../../feeds/private-feed.ts";
import { type ChannelContext, PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import type { Push } from "../push.ts";

/** What an account has: the currencies that a group of commands changed, as they stand after it. */
export class BalanceChannel extends PrivateChannel {
  readonly #state: State;

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    const { backend } = context;
    this.#state = backend.state;
  }

  balances(clients: readonly Client[], balances: readonly OwnBalance[]): void {
    // Connections that follow the same of these currencies share a push; nearly always that is all of them.
    const pushes = new Map<string, Push>();
    for (const client of clients) {
      const followed = balances.filter(({ assetId }) => this.audience.follows(client, this.#assetOf(assetId).ccy));
      if (followed.length === 0) continue;
      const list = followed.map((balance) => this.#print(balance)).join();
      let push = pushes.get(list);
      if (push === undefined) {
        push = this.update(`{"balance_list":[${list}]}`);
        pushes.set(list, push);
      }
      client.send(push);
    }
  }

  #print({ assetId, available, frozen, updatedAt }: OwnBalance): string {
    const { ccy, scale } = this.#assetOf(assetId);
    return (
      `{"margin_market":"","ccy":"${ccy}","available":"${formatDecimal(available, scale)}",` +
      `"frozen":"${formatDecimal(frozen, scale)}","updated_at":${updatedAt}}`
    );
  }

  #assetOf(assetId: number): Asset {
    return this.#state.assets[assetId] as Asset;
  }
}
