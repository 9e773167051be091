/** The channels of spot markets. */
import type { ChannelContext, Channels } from "../channel.ts";
import type { SocketChannel } from "../contract.ts";
import { BalanceChannel } from "./balances.ts";
import { channelsWith } from "./shared.ts";

export function spotChannels(contractOf: (name: string) => SocketChannel, context: ChannelContext): Channels {
  return channelsWith(contractOf, context, new BalanceChannel(contractOf("balance"), context));
}
