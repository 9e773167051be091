/** Pools of spot markets: what they hold and earn, one's share, joining and leaving. */
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { post } from "../api/client.ts";
import type { AmmLiquidity, AmmPool } from "../api/records.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { type Market, marketOf, markets, marketsRead } from "../market/markets.ts";
import { cut, isDecimal, isPositive, over, times } from "../number/decimal.ts";
import { grouped, percent, short } from "../number/show.ts";
import { spotAvailable } from "../panels/balances-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NoRows } from "../ui/read-state.tsx";
import { createReading, type Reading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { createAct } from "./act.ts";
import { userId } from "./session.ts";

export function PoolsSection() {
  // By name: the list of markets is read again every so often, and a form must not lose what is being typed into it.
  const withPool = () =>
    markets()
      .filter(({ hasPool }) => hasPool)
      .map(({ market }) => market);
  const shares = createReading<readonly AmmLiquidity[]>(() =>
    userId() === undefined ? undefined : { path: "/v2/assets/amm/liquidity" },
  );
  return (
    <>
      <SectionHead title="Pools">
        A pool quotes in the book of its market. Whoever gives to it has a share of it, and of the fees that are paid
        there.
      </SectionHead>
      <For
        each={withPool()}
        fallback={
          <p class="empty">
            <NoRows state={marketsRead} empty="No market has a pool." />
          </p>
        }
      >
        {(name) => (
          <Show when={marketOf("spot", name)}>
            {(market) => <Pool market={market()} shares={shares} onChanged={shares.again} />}
          </Show>
        )}
      </For>
    </>
  );
}

const DECIMALS = 8;

interface PoolProps {
  readonly market: Market;
  readonly shares: Reading<readonly AmmLiquidity[]>;
  readonly onChanged: () => void;
}

function Pool(props: PoolProps) {
  const read = createReading<readonly AmmPool[]>(() =>
    userId() === undefined
      ? undefined
      : { path: "/v2/assets/amm/liquidity-pool", query: { market: props.market.market } },
  );
  const pool = () => read.data()?.[0];
  const share = () => props.shares.data()?.find((each) => each.market === props.market.market);
  const [base, setBase] = createSignal("");
  const [quote, setQuote] = createSignal("");
  const [asks, setAsks] = createSignal(false);
  const act = createAct();
  const changed = () => {
    setBase("");
    setQuote("");
    read.again();
    props.onChanged();
  };
  /** Both sides go in as they lie in the pool: the other field follows the one that is typed in. */
  const typeBase = (text: string) => {
    setBase(text);
    const of = pool();
    if (of !== undefined && isDecimal(text) && isPositive(of.base_ccy_amount)) {
      setQuote(cut(over(times(text, of.quote_ccy_amount), of.base_ccy_amount, DECIMALS, "up"), DECIMALS));
    }
  };
  // Typed in before the pool was read, it is worked out as soon as that is.
  createEffect(on(pool, () => base() !== "" && quote() === "" && typeBase(base()), { defer: true }));
  const add = async () => {
    const body = { market: props.market.market, base_ccy_amount: base(), quote_ccy_amount: quote() };
    if (await act.run(() => post("/v2/assets/amm/add-liquidity", body), "Your money is in the pool.")) changed();
  };
  const leave = async () => {
    setAsks(false);
    if (
      await act.run(
        () => post("/v2/assets/amm/remove-liquidity", { market: props.market.market }),
        "Your share is back in spot.",
      )
    )
      changed();
  };
  return (
    <article class="card padded pool">
      <h2>
        {props.market.baseCcy}/{props.market.quoteCcy}
      </h2>
      <Show when={pool()} fallback={<NoRows state={read} empty={<p class="note">The pool is empty.</p>} />}>
        {(of) => (
          <dl class="facts">
            <div>
              <dt>Reserves</dt>
              <dd>
                {short(of().base_ccy_amount)} {of().base_ccy}, {short(of().quote_ccy_amount)} {of().quote_ccy}
              </dd>
            </div>
            <div>
              <dt>Yield a year, of the last day</dt>
              <dd>{percent(of().apy_1day)}</dd>
            </div>
            <div>
              <dt>of the last 7 days</dt>
              <dd>{percent(of().apy_7day)}</dd>
            </div>
            <div>
              <dt>Fees shared in 7 days</dt>
              <dd>{short(of().fee_dividend_7day)} USD</dd>
            </div>
          </dl>
        )}
      </Show>
      <Show
        when={share()}
        fallback={
          <p class="note">
            <NoRows state={props.shares} empty="You have no share in it." />
          </p>
        }
      >
        {(own) => (
          <p class="own-share">
            Your share: <b>{percent(own().liquidity_proportion, 4)}</b>, which is {grouped(own().base_ccy_amount)}{" "}
            {own().base_ccy} and {grouped(own().quote_ccy_amount)} {own().quote_ccy}.{" "}
            <button type="button" class="text-button" onClick={() => setAsks(true)}>
              Remove liquidity
            </button>
          </p>
        )}
      </Show>
      <form
        class="pool-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <NumberField
          name="Give"
          value={base()}
          set={typeBase}
          step="1"
          unit={props.market.baseCcy}
          placeholder={availableText(props.market.baseCcy)}
        />
        <NumberField
          name="and"
          value={quote()}
          set={setQuote}
          step="1"
          unit={props.market.quoteCcy}
          placeholder={availableText(props.market.quoteCcy)}
        />
        <button
          type="submit"
          class="button primary"
          disabled={act.isBusy() || !isDecimal(base()) || !isDecimal(quote())}
        >
          Add liquidity
        </button>
      </form>
      <FaultText fault={act.fault()} />
      <Show when={asks()}>
        <Dialog title="Take your share out?" onClose={() => setAsks(false)}>
          <p>
            As the pool stands now, {grouped(share()?.base_ccy_amount ?? "0")} {share()?.base_ccy} and{" "}
            {grouped(share()?.quote_ccy_amount ?? "0")} {share()?.quote_ccy} come back to spot. Nothing leaves a pool
            for 24 hours after you last added to it.
          </p>
          <div class="form-row">
            <button type="button" class="button primary grow" onClick={() => void leave()}>
              Remove liquidity
            </button>
            <button type="button" class="button grow" onClick={() => setAsks(false)}>
              Keep liquidity
            </button>
          </div>
        </Dialog>
      </Show>
    </article>
  );
}

/** Nothing until the balances have been read. */
function availableText(ccy: string): string {
  const available = spotAvailable(ccy);
  return available === undefined ? "" : `of ${grouped(available)}`;
}
