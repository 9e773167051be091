import { isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { atLeast0 } from "../../current/records/futures-balances.ts";
import { type FuturesFunds, futuresFunds } from "../../reading/futures-funds.ts";
import type { Params } from "../../request/validate.ts";
import { type ChannelContext, PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";

/** Texts of balances by currency. */
type Told = Map<string, string>;

/**
 * What an account has in futures, again whenever it comes to something else: orders, positions, funding and marks change it, so
 * it is looked at on the beat. Nothing is told on following, as on the spot socket; who asks over HTTP knows the rest.
 */
export class FuturesBalanceChannel extends PrivateChannel {
  readonly #state: State;
  readonly #told = new Map<Client, Told>();
  #seq = -1;

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    const { backend } = context;
    this.#state = backend.state;
  }

  override subscribe(client: Client, params: Params): void {
    super.subscribe(client, params);
    if (client.key !== undefined && !this.#told.has(client)) this.#told.set(client, this.#textsOf(client.key.userId));
  }

  override leave(client: Client): void {
    super.leave(client);
    this.#told.delete(client);
  }

  beat(): void {
    // Nothing can have changed but by a command.
    if (this.#state.seq === this.#seq) return;
    this.#seq = this.#state.seq;
    const texts = new Map<number, Told>();
    for (const [client, told] of this.#told) {
      const { userId } = client.key as { userId: number };
      const now = texts.get(userId) ?? this.#textsOf(userId);
      texts.set(userId, now);
      const changed = [...now].filter(([ccy, text]) => told.get(ccy) !== text && this.audience.follows(client, ccy));
      this.#told.set(client, now);
      if (changed.length === 0) continue;
      client.send(this.update(`{"balance_list":[${changed.map(([, text]) => text).join()}]}`));
    }
  }

  #textsOf(userId: number): Told {
    const told: Told = new Map();
    for (const asset of this.#state.assets) {
      const funds = futuresFunds(this.#state, userId, asset);
      if (funds !== undefined) told.set(asset.ccy, balanceText(funds));
    }
    return told;
  }
}

function balanceText({ asset, sums, margin, unrealized }: FuturesFunds): string {
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const free = show(atLeast0(isolatedMargin(sums)));
  return (
    `{"ccy":"${asset.ccy}","available":"${free}","frozen":"${show(sums.frozen)}","margin":"${show(margin)}",` +
    `"transferrable":"${free}","unrealized_pnl":"${show(unrealized)}",` +
    `"equity":"${show(sums.cash + margin + unrealized)}"}`
  );
}
