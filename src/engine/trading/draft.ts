/**
 * The figures of the step under way: what a command wants of an order, and what an execution comes to. They mean nothing
 * between commands and belong to no state.
 *
 * They stand in fixed memory because of how the machine treats bigints: one that is chosen by a condition or goes from
 * function to function has to be allocated, one that goes from typed array to typed array stays in a register. An array of
 * more than 64 bytes stays where it is, so that its address becomes part of the code.
 */
const WORDS = 24;
const wanted = new BigInt64Array(WORDS);
const amounts = new BigInt64Array(WORDS);

/** An order as its command wants it. */
class Draft {
  /** A stop order or an exit that the price has reached wants it, and nobody who looks at the book. */
  isFired = false;

  /** Ticks. */
  get price(): bigint {
    return wanted[0] as bigint;
  }
  set price(value: bigint) {
    wanted[0] = value;
  }
  /** Lots, or units of the quote asset. */
  get left(): bigint {
    return wanted[1] as bigint;
  }
  set left(value: bigint) {
    wanted[1] = value;
  }
  /** Units that it freezes on top of what the order has frozen already. */
  get needs(): bigint {
    return wanted[2] as bigint;
  }
  set needs(value: bigint) {
    wanted[2] = value;
  }
  /** Ticks at which an order in a futures market freezes. */
  get freezePrice(): bigint {
    return wanted[3] as bigint;
  }
  set freezePrice(value: bigint) {
    wanted[3] = value;
  }
  /** By what the value at its freeze price, and the taker fee on that, exceed those of the order that it changes. */
  get moreValue(): bigint {
    return wanted[4] as bigint;
  }
  set moreValue(value: bigint) {
    wanted[4] = value;
  }
  get moreFees(): bigint {
    return wanted[5] as bigint;
  }
  set moreFees(value: bigint) {
    wanted[5] = value;
  }
  /** Lots of it that open a position. */
  get opening(): bigint {
    return wanted[7] as bigint;
  }
  set opening(value: bigint) {
    wanted[7] = value;
  }
  /** By what the freeze of its seat grows. */
  get moreFrozen(): bigint {
    return wanted[6] as bigint;
  }
  set moreFrozen(value: bigint) {
    wanted[6] = value;
  }
  /** Ticks: the worst price at which an order in a futures market can trade. */
  get worst(): bigint {
    return wanted[8] as bigint;
  }
  set worst(value: bigint) {
    wanted[8] = value;
  }
  /** Lots of the resting order that it changes, else 0. */
  get freed(): bigint {
    return wanted[9] as bigint;
  }
  set freed(value: bigint) {
    wanted[9] = value;
  }
  /** Lots of the opposite position that orders of its side close before they open. */
  get opposed(): bigint {
    return wanted[10] as bigint;
  }
  set opposed(value: bigint) {
    wanted[10] = value;
  }
  /** Lots of its side that could open without it, and that can with it. */
  get opened(): bigint {
    return wanted[11] as bigint;
  }
  set opened(value: bigint) {
    wanted[11] = value;
  }
  get opens(): bigint {
    return wanted[12] as bigint;
  }
  set opens(value: bigint) {
    wanted[12] = value;
  }
  /** Lots of it that close. */
  get closing(): bigint {
    return wanted[13] as bigint;
  }
  set closing(value: bigint) {
    wanted[13] = value;
  }
  /** Units that what it opens loses at once at its worst price, and what it closes. */
  get loss(): bigint {
    return wanted[14] as bigint;
  }
  set loss(value: bigint) {
    wanted[14] = value;
  }
  get closesLoss(): bigint {
    return wanted[15] as bigint;
  }
  set closesLoss(value: bigint) {
    wanted[15] = value;
  }
  /** Units that the order which it changes is worth at its freeze price. */
  get freedValue(): bigint {
    return wanted[16] as bigint;
  }
  set freedValue(value: bigint) {
    wanted[16] = value;
  }
  /** Units that one side of its seat freezes. */
  get frozen(): bigint {
    return wanted[17] as bigint;
  }
  set frozen(value: bigint) {
    wanted[17] = value;
  }
  /** Ticks of the index or the mark that its price is held to. */
  get reference(): bigint {
    return wanted[18] as bigint;
  }
  set reference(value: bigint) {
    wanted[18] = value;
  }
}

/** An execution: who meets whom, at what price, and what each pays. */
class Trade {
  taker = -1;
  maker = -1;
  dealId = 0;
  /** Asset of the fees that are deducted; means something only where one is. */
  deductionAssetId = -1;

  /** Ticks that the taker may reach. */
  get bound(): bigint {
    return amounts[0] as bigint;
  }
  set bound(value: bigint) {
    amounts[0] = value;
  }
  /** Ticks: the maker's price. */
  get price(): bigint {
    return amounts[1] as bigint;
  }
  set price(value: bigint) {
    amounts[1] = value;
  }
  get lots(): bigint {
    return amounts[2] as bigint;
  }
  set lots(value: bigint) {
    amounts[2] = value;
  }
  /** Quote units that the buyer gives. */
  get value(): bigint {
    return amounts[3] as bigint;
  }
  set value(value: bigint) {
    amounts[3] = value;
  }
  /** Base units that the seller gives. */
  get units(): bigint {
    return amounts[4] as bigint;
  }
  set units(value: bigint) {
    amounts[4] = value;
  }
  /** Base units that the buyer pays out of what it receives; in a futures market the buyer's fee. */
  get baseFee(): bigint {
    return amounts[5] as bigint;
  }
  set baseFee(value: bigint) {
    amounts[5] = value;
  }
  /** Quote units that the seller pays out of what it receives; in a futures market the seller's fee. */
  get quoteFee(): bigint {
    return amounts[6] as bigint;
  }
  set quoteFee(value: bigint) {
    amounts[6] = value;
  }
  /** Units that a market order may still give: what it had to have available, less what it gave. Kept only while fees are deducted. */
  get reserved(): bigint {
    return amounts[7] as bigint;
  }
  set reserved(value: bigint) {
    amounts[7] = value;
  }
  /** Units of the deduction currency that the taker pays instead of its fee. */
  get takerDeduction(): bigint {
    return amounts[8] as bigint;
  }
  set takerDeduction(value: bigint) {
    amounts[8] = value;
  }
  get makerDeduction(): bigint {
    return amounts[9] as bigint;
  }
  set makerDeduction(value: bigint) {
    amounts[9] = value;
  }
  /** In a futures market what the trade closed came to, for the buyer and for the seller. */
  get buyerPnl(): bigint {
    return amounts[14] as bigint;
  }
  set buyerPnl(value: bigint) {
    amounts[14] = value;
  }
  get sellerPnl(): bigint {
    return amounts[15] as bigint;
  }
  set sellerPnl(value: bigint) {
    amounts[15] = value;
  }
}

export const draft = new Draft();
export const trade = new Trade();
