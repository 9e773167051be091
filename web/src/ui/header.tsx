/** The row at the top: where one is, what the market does, who one is, and whether the venue is heard. */
import { createMemo, type JSX, Show } from "solid-js";
import { AccountMenu } from "../account/account-menu.tsx";
import { user } from "../account/session.ts";
import { sockets, venueNow } from "../api/venue.ts";
import { LayoutMenu } from "../layout/layout-menu.tsx";
import { LastPrice } from "../market/last-price.tsx";
import { dayChange, openMarkets } from "../market/market-list.tsx";
import { amountCcyOf, hasStaleIndex, type Market, market, tickerOf } from "../market/markets.ts";
import { NoticeMenu } from "../notices/notice-menu.tsx";
import { countdown, percent, short, shown, UNKNOWN } from "../number/show.ts";
import { Change } from "./figure.tsx";
import { Mark } from "./mark.tsx";
import { goTrading, place } from "./place.ts";
import { ThemeButton } from "./theme-button.tsx";

export function Header() {
  return (
    <header class="header">
      <a
        class="mark"
        href="/"
        aria-label="bourse"
        onClick={(event) => {
          event.preventDefault();
          goTrading();
        }}
      >
        <Mark />
        <span class="mark-word">bourse</span>
      </a>
      <Show when={place().kind === "trade"} fallback={<span class="header-fill" />}>
        <button type="button" class="market-switch" aria-haspopup="dialog" onClick={openMarkets} title="Markets (/)">
          <Show when={market()} fallback="Markets">
            {(now) => (
              <>
                <b>{now().baseCcy}</b>/{now().quoteCcy}
                <Show when={now().product === "futures"}>
                  <span class="tag">Perp</span>
                </Show>
              </>
            )}
          </Show>
          <span aria-hidden="true">▾</span>
        </button>
        <Show when={market()}>{(now) => <MarketFigures market={now()} />}</Show>
      </Show>
      <div class="header-end">
        <Connection />
        <Show when={place().kind === "trade"}>
          <LayoutMenu />
        </Show>
        <Show when={user()}>
          <NoticeMenu />
        </Show>
        <ThemeButton />
        <a class="header-link" href="/docs">
          API
        </a>
        <AccountMenu />
      </div>
    </header>
  );
}

function MarketFigures(props: { market: Market }) {
  const ticker = createMemo(() => tickerOf(props.market.key));
  // What the venue has not said yet is no 0.
  const known = (text: string | undefined, shownAs: (known: string) => string) => (text ? shownAs(text) : UNKNOWN);
  const price = (text: string | undefined) => known(text, (at) => shown(at, props.market.priceDecimals));
  const leftMs = () => (ticker()?.next_funding_time ?? 0) - venueNow();
  return (
    <>
      <LastPrice market={props.market} class="header-price" />
      <dl class="figures" tabIndex={0} aria-label="Figures of the market">
        <Cell name="24 h change">
          <Show when={ticker()} fallback={UNKNOWN}>
            <Change rate={dayChange(props.market)} />
          </Show>
        </Cell>
        <Show when={props.market.product === "futures"}>
          <Cell name="Mark" title="What positions are valued by">
            {price(ticker()?.mark_price)}
          </Cell>
          <Cell name="Index" title="What the spot exchanges of the index say">
            {price(ticker()?.index_price)}
            <Show when={hasStaleIndex(props.market.key)}>
              <span class="tag warning">stale</span>
            </Show>
          </Cell>
          <Cell
            name="Funding / in"
            title="Longs pay shorts this rate of the position's value when the time is up; a negative one shorts pay"
          >
            <span class="accent">{known(ticker()?.next_funding_rate, (rate) => percent(rate, 4))}</span>
            <span class="quiet"> / {countdown(leftMs())}</span>
          </Cell>
        </Show>
        <Cell name="24 h high">{price(ticker()?.high)}</Cell>
        <Cell name="24 h low">{price(ticker()?.low)}</Cell>
        <Cell name={`24 h volume ${amountCcyOf(props.market)}`}>{known(ticker()?.volume, short)}</Cell>
        <Cell name={`24 h turnover ${props.market.isInverse ? props.market.baseCcy : props.market.quoteCcy}`}>
          {known(ticker()?.value, short)}
        </Cell>
      </dl>
    </>
  );
}

function Cell(props: { name: string; title?: string; children: JSX.Element }) {
  return (
    <div title={props.title}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** How the venue is heard: live with the time that a word takes there and back, or not. */
function Connection() {
  const socket = () => {
    const now = place();
    return sockets[now.kind === "trade" ? now.product : "spot"];
  };
  const words = () => {
    const state = socket().state();
    const latency = socket().latencyMs();
    if (state === "open") return latency === undefined ? "Live" : `${latency} ms`;
    return state === "lost" ? "Reconnecting" : "Connecting";
  };
  return (
    <span class={`connection ${socket().state()}`} role="status" title={`The connection to the venue: ${words()}`}>
      <i aria-hidden="true" />
      <span>{words()}</span>
    </span>
  );
}
