/** The terminal as a whole. */
import { createEffect, Show, Suspense } from "solid-js";
import { ConfirmDialog } from "./account/confirm-dialog.tsx";
import { SignIn } from "./account/sign-in.tsx";
import { followPlannedExits } from "./entry/planned-exits.ts";
import { MarketList } from "./market/market-list.tsx";
import { areMarketsRead, market, markets, tickerOf } from "./market/markets.ts";
import { followAccount } from "./notices/account-watch.ts";
import { followNotices } from "./notices/notices.ts";
import { followPriceAlerts } from "./notices/price-alerts.ts";
import { shown } from "./number/show.ts";
import { TradePage } from "./trade-page.tsx";
import { Banners } from "./ui/banners.tsx";
import { Header } from "./ui/header.tsx";
import { Help } from "./ui/help.tsx";
import { part } from "./ui/part.ts";
import { go, place } from "./ui/place.ts";
import { Toasts } from "./ui/toasts.tsx";

const AccountPage = part("AccountPage", () => import("./account/account-page.tsx"));

export function App() {
  followNotices();
  followPlannedExits();
  followAccount();
  followPriceAlerts();
  // An address without a market, or with one that is not listed, is that of the first market.
  createEffect(() => {
    const now = place();
    if (now.kind !== "trade" || !areMarketsRead() || market() !== undefined) return;
    const first = markets().find(({ product }) => product === now.product) ?? markets()[0];
    if (first !== undefined) go({ kind: "trade", product: first.product, market: first.market }, true);
  });
  createEffect(() => {
    const now = market();
    const last = now && tickerOf(now.key)?.last;
    document.title =
      now === undefined || last === undefined ? "bourse" : `${shown(last, now.priceDecimals)} ${now.market} · bourse`;
  });
  return (
    <>
      <Header />
      <Banners />
      <Show
        when={place().kind === "trade"}
        fallback={
          <Suspense>
            <AccountPage />
          </Suspense>
        }
      >
        <TradePage />
      </Show>
      <MarketList />
      <SignIn />
      <ConfirmDialog />
      <Help />
      <Toasts />
    </>
  );
}
