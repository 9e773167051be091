/**
 * The figures worked out for the drafted order of a futures market while it is checked and entered. They mean nothing
 * between commands. In memory as trading/draft.ts.
 */
const WORDS = 24;

export class ContractDraft extends BigInt64Array {
  constructor() {
    super(WORDS);
  }

  /** Ticks at which an order in a futures market freezes. */
  get freezePrice(): bigint {
    return this[0] as bigint;
  }
  set freezePrice(value: bigint) {
    this[0] = value;
  }
  /** By what the value at its freeze price, and the taker fee on that, exceed those of the order that it changes. */
  get moreValue(): bigint {
    return this[1] as bigint;
  }
  set moreValue(value: bigint) {
    this[1] = value;
  }
  get moreFees(): bigint {
    return this[2] as bigint;
  }
  set moreFees(value: bigint) {
    this[2] = value;
  }
  /** Lots of it that open a position. */
  get opening(): bigint {
    return this[3] as bigint;
  }
  set opening(value: bigint) {
    this[3] = value;
  }
  /** By what the freeze of its seat grows. */
  get moreFrozen(): bigint {
    return this[4] as bigint;
  }
  set moreFrozen(value: bigint) {
    this[4] = value;
  }
  /** Ticks: the worst price at which an order in a futures market can trade. */
  get worst(): bigint {
    return this[5] as bigint;
  }
  set worst(value: bigint) {
    this[5] = value;
  }
  /** Lots of the resting order that it changes, else 0. */
  get freed(): bigint {
    return this[6] as bigint;
  }
  set freed(value: bigint) {
    this[6] = value;
  }
  /** Lots of the opposite position that orders of its side close before they open. */
  get opposed(): bigint {
    return this[7] as bigint;
  }
  set opposed(value: bigint) {
    this[7] = value;
  }
  /** Lots of its side that could open without it, and that can with it. */
  get opened(): bigint {
    return this[8] as bigint;
  }
  set opened(value: bigint) {
    this[8] = value;
  }
  get opens(): bigint {
    return this[9] as bigint;
  }
  set opens(value: bigint) {
    this[9] = value;
  }
  /** Lots of it that close. */
  get closing(): bigint {
    return this[10] as bigint;
  }
  set closing(value: bigint) {
    this[10] = value;
  }
  /** Units that what it opens loses at once at its worst price, and what it closes. */
  get loss(): bigint {
    return this[11] as bigint;
  }
  set loss(value: bigint) {
    this[11] = value;
  }
  get closesLoss(): bigint {
    return this[12] as bigint;
  }
  set closesLoss(value: bigint) {
    this[12] = value;
  }
  /** Units that the order which it changes is worth at its freeze price. */
  get freedValue(): bigint {
    return this[13] as bigint;
  }
  set freedValue(value: bigint) {
    this[13] = value;
  }
  /** Units that one side of its seat freezes. */
  get frozen(): bigint {
    return this[14] as bigint;
  }
  set frozen(value: bigint) {
    this[14] = value;
  }
  /** Ticks of the index or the mark that its price is held to. */
  get reference(): bigint {
    return this[15] as bigint;
  }
  set reference(value: bigint) {
    this[15] = value;
  }
  /** Realized profit or loss of the fill under way, of the buyer and of the seller. */
  get buyerPnl(): bigint {
    return this[16] as bigint;
  }
  set buyerPnl(value: bigint) {
    this[16] = value;
  }
  get sellerPnl(): bigint {
    return this[17] as bigint;
  }
  set sellerPnl(value: bigint) {
    this[17] = value;
  }
}
