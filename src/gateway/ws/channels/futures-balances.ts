import { isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { atLeast0 } from "../../current/records/futures-balances.ts";
import { type FuturesFunds, futuresFunds } from "../../reading/futures-funds.ts";
import type { Params } from "../../request/validate.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";

/** Texts of balances by currency. */
type Told = Map<string, string>;

/**
 * The futures balances of an account, pushed again whenever they change. Orders, positions, funding and marks change
 * them, so they are checked on the beat. A new follower gets no first push, as on the spot socket; the HTTP interface
 * has the balances until then.
 */
export class FuturesBalanceChannel extends PrivateChannel {
  readonly #told = new Map<Client, Told>();
  #seq = -1;

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
    if (this.context.backend.state.seq === this.#seq) return;
    this.#seq = this.context.backend.state.seq;
    const texts = new Map<number, Told>();
    for (const [client, told] of this.#told) {
      const { userId } = client.key as { userId: number };
      const now = texts.get(userId) ?? this.#textsOf(userId);
      texts.set(userId, now);
      const changed = [...now].filter(([ccy, text]) => told.get(ccy) !== text && this.subscribers.follows(client, ccy));
      this.#told.set(client, now);
      if (changed.length === 0) continue;
      client.send(this.update(this.joined(changed.map(([, text]) => text).join())));
    }
  }

  #textsOf(userId: number): Told {
    const told: Told = new Map();
    for (const asset of this.context.backend.state.assets) {
      const funds = futuresFunds(this.context.backend.state, userId, asset);
      if (funds !== undefined) told.set(asset.ccy, this.print(funds));
    }
    return told;
  }

  /** Returns the data of a push about several balances, which are joined by commas. */
  protected joined(balances: string): string {
    return `{"balance_list":[${balances}]}`;
  }

  protected print(funds: FuturesFunds): string {
    return balanceText(funds);
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
