/** What is told of rebates. */
declare module "../event.ts" {
  interface RareEvents {
    /** To the maker of a deal: units of an asset. */
    rebate_paid: {
      readonly marketId: number;
      readonly dealId: number;
      readonly userId: number;
      readonly assetId: number;
      readonly units: string;
    };
  }
}

export {};
