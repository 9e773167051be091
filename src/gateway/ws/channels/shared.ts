/** The channels that markets of every kind have. */
import type { Channel, ChannelContext, Channels } from "../channel.ts";
import type { SocketChannel } from "../contract.ts";
import { BboChannel } from "./bbo.ts";
import { DealsChannel } from "./deals.ts";
import { DepthChannel } from "./depth.ts";
import { IndexChannel } from "./index-price.ts";
import { NoticeChannel } from "./notices.ts";
import { OrderChannel } from "./orders.ts";
import { StateChannel } from "./state.ts";
import { StopChannel } from "./stops.ts";
import { UserDealsChannel } from "./user-deals.ts";

/** These channels, with `balances`, which show an account of that kind of market, and what else it has in `own`. */
export function channelsWith(
  contractOf: (name: string) => SocketChannel,
  context: ChannelContext,
  balances: Channel & Channels["balances"],
  own: readonly (readonly [name: string, channel: Channel])[] = [],
): Channels {
  const depth = new DepthChannel(contractOf("depth"), context);
  const orders = new OrderChannel(contractOf("order"), context);
  const userDeals = new UserDealsChannel(contractOf("user_deals"), context);
  const stops = new StopChannel(contractOf("stop"), context);
  const notices = new NoticeChannel(contractOf("notice"), context);
  const byName = new Map<string, Channel>([
    ["state", new StateChannel(contractOf("state"), context)],
    ["depth", depth],
    ["deals", new DealsChannel(contractOf("deals"), context)],
    ["bbo", new BboChannel(contractOf("bbo"), context)],
    ["index", new IndexChannel(contractOf("index"), context)],
    ...own,
    ["order", orders],
    ["user_deals", userDeals],
    ["stop", stops],
    ["balance", balances],
    ["notice", notices],
  ]);
  return { byName, depth, orders, userDeals, stops, balances, notices };
}
