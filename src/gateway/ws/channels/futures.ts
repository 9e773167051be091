/** The channels of futures markets. */
import type { ChannelContext, Channels } from "../channel.ts";
import type { SocketChannel } from "../contract.ts";
import { FuturesBalanceChannel } from "./futures-balances.ts";
import { PositionChannel } from "./positions.ts";
import { PremiumChannel } from "./premiums.ts";
import { PriceChannel } from "./prices.ts";
import { channelsWith } from "./shared.ts";

export function futuresChannels(contractOf: (name: string) => SocketChannel, context: ChannelContext): Channels {
  const positions = new PositionChannel(contractOf("position"), context);
  const premiums = new PremiumChannel(contractOf("premium"), context);
  const shared = channelsWith(contractOf, context, new FuturesBalanceChannel(contractOf("balance"), context), [
    ["price", new PriceChannel(contractOf("price"), context)],
    ["premium", premiums],
    ["position", positions],
  ]);
  return { ...shared, positions, premiums };
}
