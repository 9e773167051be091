/** Where the fields of deals come from in this generation: over HTTP and on sockets, of spot, margin and futures. */
import { DEAL_FIELDS, OWN_DEAL_FIELDS, type PublicDeal } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import { jsonList } from "../../reading/json-text.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape, UNIT_TEXTS } from "../../reading/record-printer.ts";
import { accountIdOf } from "../accounts.ts";
import { legacyRecord } from "../contract.ts";
import type { PerpetualRole } from "../types.generated.ts";
import { SIDE } from "./order-shape.ts";
import { exactSeconds, seconds } from "./time.ts";

/** A role as a number; of an order without a deal it is 0. */
export const ROLE = { maker: 1, taker: 2 } as const satisfies Record<UserDeal["role"], PerpetualRole>;

/** Data about a deal of an account that its own record does not hold, where it is shown. */
export interface DealNews {
  readonly clientId: string;
}

const dealShape: Shape<PublicDeal, unknown> = {
  fields: DEAL_FIELDS,
  units: UNIT_TEXTS,
  others: {
    side: ({ side }) => side,
    seconds: ({ createdAt }) => seconds(createdAt),
    exactSeconds: ({ createdAt }) => exactSeconds(createdAt),
  },
};

/** Of a deal of an account. */
export const ownDealShape: Shape<UserDeal, unknown> = {
  fields: OWN_DEAL_FIELDS,
  units: UNIT_TEXTS,
  others: {
    market: (_, { market }) => market.name,
    side: ({ side }) => side,
    sideNumber: ({ side }) => SIDE[side],
    role: ({ role }) => role,
    roleNumber: ({ role }) => ROLE[role],
    seconds: ({ createdAt }) => seconds(createdAt),
    exactSeconds: ({ createdAt }) => exactSeconds(createdAt),
    fee: ({ fee, feeAssetId }, printer) => printer.units(fee, feeAssetId),
    feeAsset: ({ feeAssetId }, printer) => printer.asset(feeAssetId).ccy,
  },
};

/** A deal as everybody may see it: a LegacyMarketDeal, of a futures market a PerpetualDeal, which is the same. */
export const printMarketDeal = recordPrinter(legacyRecord("futures-http", "PerpetualDeal"), dealShape);

const printSocketDeal = recordPrinter(legacyRecord("websocket", "LegacyWsDeal"), dealShape);

/** A list of LegacyWsDeal. */
export function dealsText(printer: MarketPrinter, deals: readonly PublicDeal[]): string {
  return jsonList(deals, (deal) => printSocketDeal(deal, printer));
}

/** A LegacyWsUserDeal. */
export const printOwnDeal = recordPrinter(legacyRecord("websocket", "LegacyWsUserDeal"), {
  ...ownDealShape,
  others: {
    ...ownDealShape.others,
    clientId: (_: UserDeal, _printer: MarketPrinter, { clientId }: DealNews) => clientId,
  },
});

/** A LegacyOrderDeal: a deal of spot or margin among those of one order. */
export const printOrderDeal = recordPrinter(legacyRecord("spot-http", "LegacyOrderDeal"), ownDealShape);

/** A LegacyUserDeal: one among those of an account. */
export const printUserDeal = recordPrinter(legacyRecord("spot-http", "LegacyUserDeal"), {
  ...ownDealShape,
  others: {
    ...ownDealShape.others,
    accountId: (deal: UserDeal, _printer: MarketPrinter, state: State) => accountIdOf(state, deal),
  },
});
