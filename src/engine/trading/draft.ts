/**
 * The figures of the step under way: what a command wants of an order, and what an execution comes to. They mean
 * nothing between commands and belong to no state; see ../scratch.ts.
 *
 * They stand in memory because of how the machine treats bigints: one that is chosen by a condition or goes from
 * function to function has to be allocated, one that goes from typed array to typed array stays in a register. The
 * figures are the elements of the objects themselves, which spares the machine a field that names their memory.
 */
const WORDS = 24;

/** An order as its command wants it. What a product works out of it besides stands with the product. */
export class Draft extends BigInt64Array {
  /** A stop order or an exit that the price has reached wants it, and nobody who looks at the book. */
  isFired = false;

  constructor() {
    super(WORDS);
  }

  /** Ticks. */
  get price(): bigint {
    return this[0] as bigint;
  }
  set price(value: bigint) {
    this[0] = value;
  }
  /** Lots, or units of the quote asset. */
  get left(): bigint {
    return this[1] as bigint;
  }
  set left(value: bigint) {
    this[1] = value;
  }
  /** Units that it freezes on top of what the order has frozen already. */
  get needs(): bigint {
    return this[2] as bigint;
  }
  set needs(value: bigint) {
    this[2] = value;
  }
}

/** An execution: who meets whom, at what price, and what each pays. */
export class Trade extends BigInt64Array {
  taker = -1;
  maker = -1;
  dealId = 0;
  /** Asset of the fees that are deducted; means something only where one is. */
  deductionAssetId = -1;

  constructor() {
    super(WORDS);
  }

  /** Ticks that the taker may reach. */
  get bound(): bigint {
    return this[0] as bigint;
  }
  set bound(value: bigint) {
    this[0] = value;
  }
  /** Ticks: the maker's price. */
  get price(): bigint {
    return this[1] as bigint;
  }
  set price(value: bigint) {
    this[1] = value;
  }
  get lots(): bigint {
    return this[2] as bigint;
  }
  set lots(value: bigint) {
    this[2] = value;
  }
  /** Quote units that the buyer gives. */
  get value(): bigint {
    return this[3] as bigint;
  }
  set value(value: bigint) {
    this[3] = value;
  }
  /** Base units that the seller gives. */
  get units(): bigint {
    return this[4] as bigint;
  }
  set units(value: bigint) {
    this[4] = value;
  }
  /** Base units that the buyer pays out of what it receives; where there is one fee for both, the buyer's fee. */
  get baseFee(): bigint {
    return this[5] as bigint;
  }
  set baseFee(value: bigint) {
    this[5] = value;
  }
  /** Quote units that the seller pays out of what it receives; where there is one fee for both, the seller's fee. */
  get quoteFee(): bigint {
    return this[6] as bigint;
  }
  set quoteFee(value: bigint) {
    this[6] = value;
  }
  /**
   * Units that a market order may still give: what it had to have available, less what it gave. Kept only while fees
   * are deducted.
   */
  get reserved(): bigint {
    return this[7] as bigint;
  }
  set reserved(value: bigint) {
    this[7] = value;
  }
  /** Units of the deduction currency that the taker pays instead of its fee. */
  get takerDeduction(): bigint {
    return this[8] as bigint;
  }
  set takerDeduction(value: bigint) {
    this[8] = value;
  }
  get makerDeduction(): bigint {
    return this[9] as bigint;
  }
  set makerDeduction(value: bigint) {
    this[9] = value;
  }
}
