import { formatDecimal } from "../../../../engine/money/decimal.ts";
import { type OwnBalance, SPOT_ACCOUNT } from "../../../../feeds/private-feed.ts";
import type { FuturesFunds } from "../../../reading/futures-funds.ts";
import { BalanceChannel } from "../../../ws/channels/balances.ts";
import { FuturesBalanceChannel } from "../../../ws/channels/futures-balances.ts";
import { perpetualAssetOf } from "../../records/perpetual-assets.ts";

/** The balances of a spot account, by currency. Balances of margin accounts are not sent. */
export class LegacyAssetChannel extends BalanceChannel {
  protected override isTold({ marketId }: OwnBalance): boolean {
    return marketId === SPOT_ACCOUNT;
  }

  protected override joined(balances: string): string {
    return `{${balances}}`;
  }

  protected override print({ assetId, available, frozen }: OwnBalance): string {
    const { ccy, scale } = this.assetOf(assetId);
    return `"${ccy}":{"available":"${formatDecimal(available, scale)}","frozen":"${formatDecimal(frozen, scale)}"}`;
  }

  /** This generation has no word for an account that comes near its liquidation. */
  override happened(): void {}
}

/** The balances of a futures account, by currency. */
export class LegacyFuturesAssetChannel extends FuturesBalanceChannel {
  protected override joined(balances: string): string {
    return `{${balances}}`;
  }

  protected override print(funds: FuturesFunds): string {
    return `"${funds.asset.ccy}":${JSON.stringify(perpetualAssetOf(funds))}`;
  }
}
