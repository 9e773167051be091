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

/** An order as its command wants it. What a product works out of it besides stands with the product. */
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
  /** Base units that the buyer pays out of what it receives; where there is one fee for both, the buyer's fee. */
  get baseFee(): bigint {
    return amounts[5] as bigint;
  }
  set baseFee(value: bigint) {
    amounts[5] = value;
  }
  /** Quote units that the seller pays out of what it receives; where there is one fee for both, the seller's fee. */
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
}

export const draft = new Draft();
export const trade = new Trade();
