import { part } from "../part.ts";
import "./events.ts";
import { LISTING_SCHEMAS } from "./command-schemas.ts";
import { setFeeDeduction } from "./fee-deduction.ts";
import { holdIndex } from "./hold-index.ts";
import { importCandles } from "./import-candles.ts";
import { IndexAudit } from "./index-audit.ts";
import { changeMarket, listAsset, listMarket } from "./list.ts";
import { checkListing } from "./listing-invariants.ts";
import { listingSection } from "./listing-section.ts";
import { isStatusDue, statusDue } from "./market-life.ts";
import { loseIndexes, refreshIndexes, setIndexPrices } from "./price-index.ts";

/** Assets and markets, their index prices and the currency of fee deduction. */
export const listing = part({
  name: "listing",
  commandSchemas: LISTING_SCHEMAS,
  commands: {
    list_asset: listAsset,
    list_market: listMarket,
    change_market: changeMarket,
    set_index_prices: setIndexPrices,
    hold_index: holdIndex,
    import_candles: importCandles,
    set_fee_deduction: setFeeDeduction,
  },
  sections: [listingSection],
  check: checkListing,
  audits: (state) => [new IndexAudit(state)],
  dueIn: statusDue,
  isOverdueIn: isStatusDue,
  beforeDue: loseIndexes,
  tick: refreshIndexes,
});
