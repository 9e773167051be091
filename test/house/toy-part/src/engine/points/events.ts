/** What is told of points. */
declare module "../event.ts" {
  interface RareEvents {
    points_granted: { readonly userId: number; readonly points: number; readonly note: string };
    points_moved: { readonly userId: number; readonly toUserId: number; readonly points: number };
    /** What somebody earned by having points over a midnight. */
    points_earned: { readonly userId: number; readonly points: number };
    points_redeemed: { readonly userId: number; readonly ccy: string; readonly points: number };
  }
}

export {};
