/** The channels of futures markets. */
import type { Channel, ChannelContext, Channels } from "../channel.ts";
import type { SocketChannel } from "../contract.ts";
import { BboChannel } from "./bbo.ts";
import { DealsChannel } from "./deals.ts";
import { DepthChannel } from "./depth.ts";
import { FuturesBalanceChannel } from "./futures-balances.ts";
import { IndexChannel } from "./index-price.ts";
import { NoticeChannel } from "./notices.ts";
import { OrderChannel } from "./orders.ts";
import { PositionChannel } from "./positions.ts";
import { PremiumChannel } from "./premiums.ts";
import { PriceChannel } from "./prices.ts";
import { StateChannel } from "./state.ts";
import { StopChannel } from "./stops.ts";
import { UserDealsChannel } from "./user-deals.ts";

export function futuresChannels(contractOf: (name: string) => SocketChannel, context: ChannelContext): Channels {
  const depth = new DepthChannel(contractOf("depth"), context);
  const orders = new OrderChannel(contractOf("order"), context);
  const userDeals = new UserDealsChannel(contractOf("user_deals"), context);
  const stops = new StopChannel(contractOf("stop"), context);
  const positions = new PositionChannel(contractOf("position"), context);
  const balances = new FuturesBalanceChannel(contractOf("balance"), context);
  const notices = new NoticeChannel(contractOf("notice"), context);
  const premiums = new PremiumChannel(contractOf("premium"), context);
  const byName = new Map<string, Channel>([
    ["state", new StateChannel(contractOf("state"), context)],
    ["depth", depth],
    ["deals", new DealsChannel(contractOf("deals"), context)],
    ["bbo", new BboChannel(contractOf("bbo"), context)],
    ["index", new IndexChannel(contractOf("index"), context)],
    ["price", new PriceChannel(contractOf("price"), context)],
    ["premium", premiums],
    ["order", orders],
    ["user_deals", userDeals],
    ["stop", stops],
    ["position", positions],
    ["balance", balances],
    ["notice", notices],
  ]);
  return { byName, depth, orders, userDeals, stops, balances, notices, positions, premiums };
}
