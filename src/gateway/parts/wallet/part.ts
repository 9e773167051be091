import { LegacyAssetChannel } from "../../legacy/sockets/channels/balances.ts";
import { channel } from "../../ws/channel.ts";
import { BalanceChannel } from "../../ws/channels/balances.ts";
import type { GatewayPart } from "../part.ts";
import { assetHandlers } from "./assets.ts";
import { WALLET_FIGURES } from "./figures.ts";
import { legacyBalanceCalls } from "./legacy-socket-calls.ts";
import { legacyWalletHandlers } from "./legacy-wallet.ts";
import { statementHandlers } from "./statement.ts";
import { transferHandlers } from "./transfers.ts";
import { WALLET_CALLS } from "./wallet-calls.ts";

/** The balances of accounts, the statement of their changes, deposits by operators and transfers. */
export const wallet = {
  name: "wallet",
  refusals: {
    insufficient_balance: { v2: 3109, v1: 107, rule: "2.4", message: "The balance is not enough." },
    asset_not_found: { v2: 3639, v1: 2, rule: "1.2", message: "Invalid Parameter: there is no such asset." },
    custody_limit: {
      v2: 3639,
      v1: 2,
      rule: "1.1",
      message: "Invalid Parameter: the venue would hold more of the asset than it may.",
    },
    cell_not_found: { v2: 3639, v1: 2, rule: "6.1", message: "Invalid Parameter: there is no such system account." },
    transfer_not_possible: {
      v2: 3639,
      v1: 2,
      rule: "6.4",
      message: "Invalid Parameter: no such transfer is possible.",
    },
  },
  figures: WALLET_FIGURES,
  handlers: (backend) => ({
    ...assetHandlers(backend),
    ...transferHandlers(backend),
    ...statementHandlers(backend),
  }),
  calls: WALLET_CALLS,
  nouns: { deposit: "credit users, which is what it does without a further word, and show what was credited" },
  channels: [channel("balance", "spot", BalanceChannel)],
  legacy: legacyWalletHandlers,
  legacySockets: { channels: [channel("asset", "spot", LegacyAssetChannel)], calls: legacyBalanceCalls },
} satisfies GatewayPart;
