/** Every endpoint of the current generation that is served, put together from its areas. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../api.ts";
import { accountHandlers } from "./account.ts";
import { assetHandlers } from "./assets.ts";
import { cancelOrderHandlers } from "./cancel-orders.ts";
import { cancelStopOrderHandlers } from "./cancel-stop-orders.ts";
import { fundingHandlers } from "./funding.ts";
import { futuresAssetHandlers } from "./futures-assets.ts";
import { liquidationHandlers } from "./liquidations.ts";
import { marketDataHandlers } from "./market-data.ts";
import { Printers } from "./market-printer.ts";
import { marketHandlers } from "./markets.ts";
import { modifyOrderHandlers } from "./modify-orders.ts";
import { orderQueryHandlers } from "./order-queries.ts";
import { placeOrderHandlers } from "./place-orders.ts";
import { positionExitHandlers } from "./position-exits.ts";
import { positionHandlers } from "./positions.ts";
import { statementHandlers } from "./statement.ts";
import { stopOrderHandlers } from "./stop-orders.ts";
import { stopQueryHandlers } from "./stop-queries.ts";
import { systemHandlers } from "./system.ts";

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
