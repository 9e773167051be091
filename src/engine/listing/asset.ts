import type { AssetChain } from "./command-schemas.ts";

/** One currency of the venue. */
export interface Asset {
  readonly id: number;
  readonly ccy: string;
  readonly fullName: string;
  /** Decimals the ledger keeps; one unit is 10^-scale. */
  readonly scale: number;
  /** Units that custody may reach; int64 (listing check L2). */
  readonly maxCustody: bigint;
  readonly websiteUrl: string;
  readonly whitePaperUrl: string;
  readonly isSt: boolean;
  interTransferEnabled: boolean;
  chains: readonly AssetChain[];
}
