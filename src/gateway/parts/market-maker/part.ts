import type { GatewayPart } from "../part.ts";
import { massQuoteHandlers } from "./mass-quotes.ts";
import { protectionHandlers } from "./protections.ts";

/** Services for market makers, below /ext. */
export const marketMaker = {
  name: "market-maker",
  refusals: {
    quotes_held: {
      v2: 3690,
      v1: 158,
      rule: "2.18",
      message: "The market-maker protection has pulled the account's quotes in this market: reset it to quote again.",
    },
  },
  handlers: (backend, printers) => ({ ...protectionHandlers(backend, printers), ...massQuoteHandlers(backend) }),
} satisfies GatewayPart;
