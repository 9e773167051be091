/** Calls of the legacy sockets that are about one market. */
import type { Market } from "../../../engine/listing/market.ts";
import type { ApiKey } from "../../auth/key-directory.ts";
import { marketNotFound } from "../../refused.ts";
import type { ChannelContext } from "../../ws/channel.ts";
import type { Client } from "../../ws/client.ts";
import type { CallAnswer, CallHandler } from "../../ws/methods.ts";
import { SocketRefused } from "../../ws/refused.ts";

/** Who has logged in; of a method that needs no login nobody asks. */
export function callerOf({ key }: Pick<Client, "key">): ApiKey {
  return key as ApiKey;
}

/** Serves a call in the market that it names, which must be listed. */
export function inListed<Asked extends object>(
  context: ChannelContext,
  serve: (market: Market, asked: Asked, caller: ApiKey) => CallAnswer | SocketRefused,
): CallHandler {
  return (client, params) => {
    const asked = params as { market: string } & Asked;
    const market = context.marketNamed(asked.market);
    return market === undefined ? notListed(asked.market) : serve(market, asked, callerOf(client));
  };
}

function notListed(market: string): SocketRefused {
  return new SocketRefused("invalid_argument", marketNotFound(market));
}
