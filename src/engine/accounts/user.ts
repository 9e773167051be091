import { growI32, nextCapacity } from "../store/columns.ts";

export const USER_FLAG = { frozen: 1, tradeBarred: 2 } as const;

/** A user as a reader sees it. Fee rates are undefined where the market's own apply. */
export interface User {
  readonly userId: number;
  readonly name: string;
  /** The main account, when this is a sub-account. */
  readonly mainUserId: number | undefined;
  readonly frozen: boolean;
  readonly tradeBarred: boolean;
  readonly makerFeeRateE8: number | undefined;
  readonly takerFeeRateE8: number | undefined;
  readonly createdAt: number;
}

/** Everybody who has an account; the user id is the row. Ids start at 1: row 0 stays empty, so that no id is falsy. */
export class Users {
  count = 1;
  flags = new Int32Array(64);
  mainUserId = new Int32Array(64);
  /** 10^-8; -1 = the market's rate. */
  makerFeeRateE8 = new Int32Array(64);
  takerFeeRateE8 = new Int32Array(64);
  readonly names: string[] = [""];
  readonly createdAt: number[] = [0];
  readonly byName = new Map<string, number>();

  has(userId: number): boolean {
    return userId > 0 && userId < this.count;
  }

  /** `mainUserId` 0 makes a main account. */
  add(name: string, mainUserId: number, createdAt: number): number {
    if (this.count === this.flags.length) this.grow(nextCapacity(this.count));
    const userId = this.count++;
    this.mainUserId[userId] = mainUserId;
    this.makerFeeRateE8[userId] = -1;
    this.takerFeeRateE8[userId] = -1;
    this.names.push(name);
    this.createdAt.push(createdAt);
    this.byName.set(name, userId);
    return userId;
  }

  get(userId: number): User | undefined {
    if (!this.has(userId)) return undefined;
    const flags = this.flags[userId] as number;
    const main = this.mainUserId[userId] as number;
    const maker = this.makerFeeRateE8[userId] as number;
    const taker = this.takerFeeRateE8[userId] as number;
    return {
      userId,
      name: this.names[userId] as string,
      mainUserId: main === 0 ? undefined : main,
      frozen: (flags & USER_FLAG.frozen) !== 0,
      tradeBarred: (flags & USER_FLAG.tradeBarred) !== 0,
      makerFeeRateE8: maker < 0 ? undefined : maker,
      takerFeeRateE8: taker < 0 ? undefined : taker,
      createdAt: this.createdAt[userId] as number,
    };
  }

  private grow(capacity: number): void {
    this.flags = growI32(this.flags, capacity);
    this.mainUserId = growI32(this.mainUserId, capacity);
    this.makerFeeRateE8 = growI32(this.makerFeeRateE8, capacity);
    this.takerFeeRateE8 = growI32(this.takerFeeRateE8, capacity);
  }
}
