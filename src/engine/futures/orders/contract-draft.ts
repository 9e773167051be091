/**
 * What is worked out of the drafted order of a futures market while it is checked and entered. It means nothing between commands.
 * In fixed memory, as trading/draft.ts.
 */
const WORDS = 24;
const wanted = new BigInt64Array(WORDS);

class ContractDraft {
  /** Ticks at which an order in a futures market freezes. */
  get freezePrice(): bigint {
    return wanted[0] as bigint;
  }
  set freezePrice(value: bigint) {
    wanted[0] = value;
  }
  /** By what the value at its freeze price, and the taker fee on that, exceed those of the order that it changes. */
  get moreValue(): bigint {
    return wanted[1] as bigint;
  }
  set moreValue(value: bigint) {
    wanted[1] = value;
  }
  get moreFees(): bigint {
    return wanted[2] as bigint;
  }
  set moreFees(value: bigint) {
    wanted[2] = value;
  }
  /** Lots of it that open a position. */
  get opening(): bigint {
    return wanted[3] as bigint;
  }
  set opening(value: bigint) {
    wanted[3] = value;
  }
  /** By what the freeze of its seat grows. */
  get moreFrozen(): bigint {
    return wanted[4] as bigint;
  }
  set moreFrozen(value: bigint) {
    wanted[4] = value;
  }
  /** Ticks: the worst price at which an order in a futures market can trade. */
  get worst(): bigint {
    return wanted[5] as bigint;
  }
  set worst(value: bigint) {
    wanted[5] = value;
  }
  /** Lots of the resting order that it changes, else 0. */
  get freed(): bigint {
    return wanted[6] as bigint;
  }
  set freed(value: bigint) {
    wanted[6] = value;
  }
  /** Lots of the opposite position that orders of its side close before they open. */
  get opposed(): bigint {
    return wanted[7] as bigint;
  }
  set opposed(value: bigint) {
    wanted[7] = value;
  }
  /** Lots of its side that could open without it, and that can with it. */
  get opened(): bigint {
    return wanted[8] as bigint;
  }
  set opened(value: bigint) {
    wanted[8] = value;
  }
  get opens(): bigint {
    return wanted[9] as bigint;
  }
  set opens(value: bigint) {
    wanted[9] = value;
  }
  /** Lots of it that close. */
  get closing(): bigint {
    return wanted[10] as bigint;
  }
  set closing(value: bigint) {
    wanted[10] = value;
  }
  /** Units that what it opens loses at once at its worst price, and what it closes. */
  get loss(): bigint {
    return wanted[11] as bigint;
  }
  set loss(value: bigint) {
    wanted[11] = value;
  }
  get closesLoss(): bigint {
    return wanted[12] as bigint;
  }
  set closesLoss(value: bigint) {
    wanted[12] = value;
  }
  /** Units that the order which it changes is worth at its freeze price. */
  get freedValue(): bigint {
    return wanted[13] as bigint;
  }
  set freedValue(value: bigint) {
    wanted[13] = value;
  }
  /** Units that one side of its seat freezes. */
  get frozen(): bigint {
    return wanted[14] as bigint;
  }
  set frozen(value: bigint) {
    wanted[14] = value;
  }
  /** Ticks of the index or the mark that its price is held to. */
  get reference(): bigint {
    return wanted[15] as bigint;
  }
  set reference(value: bigint) {
    wanted[15] = value;
  }
  /** What a fill under way closed came to, for the buyer and for the seller. */
  get buyerPnl(): bigint {
    return wanted[16] as bigint;
  }
  set buyerPnl(value: bigint) {
    wanted[16] = value;
  }
  get sellerPnl(): bigint {
    return wanted[17] as bigint;
  }
  set sellerPnl(value: bigint) {
    wanted[17] = value;
  }
}

export const contract = new ContractDraft();
