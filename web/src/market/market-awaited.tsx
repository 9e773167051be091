/** Stands where a market is shown until the list of markets has been read, or where it cannot be. */
import { NoRows } from "../ui/read-state.tsx";
import { marketsRead } from "./markets.ts";

export function MarketAwaited() {
  return (
    <div class="empty">
      <NoRows state={marketsRead} empty="No market is listed yet." />
    </div>
  );
}
