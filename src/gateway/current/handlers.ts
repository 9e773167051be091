/** Every endpoint of the current generation that is served, put together from its areas. */
import type { Backend } from "../backend.ts";
import { accountHandlers } from "../parts/accounts/account.ts";
import { fundingHandlers } from "../parts/futures/funding.ts";
import { liquidationHandlers } from "../parts/futures/liquidations.ts";
import { positionExitHandlers } from "../parts/futures/position-exits.ts";
import { positionHandlers } from "../parts/futures/positions.ts";
import { marketDataHandlers } from "../parts/listing/market-data.ts";
import { marketHandlers } from "../parts/listing/markets.ts";
import { cancelStopOrderHandlers } from "../parts/stops/cancel-stop-orders.ts";
import { stopOrderHandlers } from "../parts/stops/stop-orders.ts";
import { stopQueryHandlers } from "../parts/stops/stop-queries.ts";
import { cancelOrderHandlers } from "../parts/trading/cancel-orders.ts";
import { modifyOrderHandlers } from "../parts/trading/modify-orders.ts";
import { orderQueryHandlers } from "../parts/trading/order-queries.ts";
import { placeOrderHandlers } from "../parts/trading/place-orders.ts";
import { systemHandlers } from "../parts/venue/system.ts";
import { assetHandlers } from "../parts/wallet/assets.ts";
import { statementHandlers } from "../parts/wallet/statement.ts";
import { futuresAssetHandlers } from "../parts/wallet/transfers.ts";
import { Printers } from "../reading/market-printer.ts";
import type { Handlers } from "./api.ts";

export function handlers(backend: Backend): Handlers {
  const printers = new Printers(backend.state);
  return {
    ...systemHandlers(backend),
    ...marketHandlers(backend, printers),
    ...marketDataHandlers(backend, printers),
    ...placeOrderHandlers(backend, printers),
    ...modifyOrderHandlers(backend, printers),
    ...cancelOrderHandlers(backend, printers),
    ...stopOrderHandlers(backend),
    ...cancelStopOrderHandlers(backend, printers),
    ...orderQueryHandlers(backend, printers),
    ...stopQueryHandlers(backend, printers),
    ...accountHandlers(backend),
    ...assetHandlers(backend),
    ...positionHandlers(backend, printers),
    ...positionExitHandlers(backend, printers),
    ...liquidationHandlers(backend, printers),
    ...fundingHandlers(backend, printers),
    ...futuresAssetHandlers(backend),
    ...statementHandlers(backend),
  };
}
