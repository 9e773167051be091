/**
 * A chain as the venue sees it, whatever it is made of: addresses that belong to users, what has been paid to them, and
 * payments that are made once. Amounts are decimals in whole units of the currency; what a chain counts more finely
 * than the ledger is cut off downwards, and the venue holds the rest.
 */

/**
 * The chain cannot be asked, or what it says cannot be believed, at present. Nothing was done; the same is tried again
 * later.
 */
export class ChainTrouble extends Error {
  readonly code = "CHAIN_TROUBLE";
}

/** As a ChainTrouble, of one payment or one currency alone: it waits, and others go on. */
export class PaymentHeld extends ChainTrouble {}

/** A place in the chain: what is `height` blocks above the first one, and which block that is. */
export interface Point {
  readonly height: number;
  readonly hash: string;
}

/** Money that a block moved to an address of the venue's users. */
export interface Transfer {
  readonly txId: string;
  /** Which of the things that the transaction did; the same whichever block takes it up. */
  readonly output: number;
  readonly toAddress: string;
  readonly memo: string;
  readonly ccy: string;
  readonly amount: string;
  readonly height: number;
}

/** The findings in the blocks after a point. */
export interface Sighting {
  /** The blocks looked at: from this height on what was known before counts no more, up to `to`. */
  readonly from: number;
  /** The last block looked at; the next watch goes on from it. */
  readonly to: Point;
  /** Whether the chain goes on beyond `to`, because much is to be caught up. */
  readonly more: boolean;
  /** In the order of the chain. */
  readonly transfers: readonly Transfer[];
}

/** A payment that the venue wants to be made. */
export interface PaymentOrder {
  /** Of this payment alone, for ever: `withdrawal 17`. Sent again with it, nothing more is paid. */
  readonly id: string;
  readonly ccy: string;
  readonly toAddress: string;
  readonly memo: string;
  readonly amount: string;
}

/** The status of a payment. */
export type PaymentStatus =
  /** Nothing of it is in a block. */
  | { readonly state: "pending" }
  /** In the block at `height`; `failed`: it stands there and moved nothing but its fee, which the venue paid. */
  | {
      readonly state: "paid" | "failed";
      readonly txId: string;
      readonly height: number;
      readonly feeCcy: string;
      readonly fee: string;
    }
  /** A transaction that the venue did not sign has taken its place: a person has to look. */
  | { readonly state: "displaced" };

/** Decides which addresses a chain tells of. */
export interface AddressBook {
  /** In the spelling that `address` gives. */
  has(address: string): boolean;
}

/** A value that a network brings later, or that is there at once. */
export type Soon<Answer> = Answer | Promise<Answer>;

export interface Chain {
  readonly name: string;
  readonly kind: "simulated" | "evm";
  /**
   * Whether more than one source stands behind what it says. Where there is one, nothing is given back for its word
   * alone.
   */
  readonly isAttested: boolean;
  /** Whether a deposit waits for an operator, because one source alone tells of it. */
  readonly holdsDeposits: boolean;
  /** The address of a user: the first, or the one after so many renewals. The same for ever. Throws ChainTrouble. */
  address(userId: number, renewals: number): Soon<string>;
  /** The one spelling of an address, checksummed where the chain has checksums; undefined when it is none. */
  normalized(address: string): string | undefined;
  /**
   * Returns the payments to addresses of the book in blocks after `from`; undefined: from where the chain is told to
   * begin. Throws ChainTrouble.
   */
  watch(from: Point | undefined, book: AddressBook): Soon<Sighting>;
  /**
   * The currency that the hot wallet has too little of for a payment, its fee included; undefined when it has enough.
   * Throws ChainTrouble.
   */
  lacks(payment: PaymentOrder): Soon<string | undefined>;
  /**
   * Makes a payment: signs it, has it written down, hands it to the network. Called again it hands over the very same.
   * Throws ChainTrouble, PaymentRefused.
   */
  send(payment: PaymentOrder): Soon<void>;
  /** Returns the status of a payment that was sent. Throws ChainTrouble. */
  status(paymentId: string): Soon<PaymentStatus>;
  /**
   * Returns the venue's holdings of these currencies there: hot, in addresses that are not swept yet, and in cold
   * storage. Throws ChainTrouble.
   */
  holdings(ccys: readonly string[]): Soon<readonly Holding[]>;
  /**
   * Does what is to be done for its own sake: sweeping, replacing what is stuck, filling cold storage. Throws
   * ChainTrouble.
   */
  keepTreasury(): Soon<void>;
  /** Where the venue pays from; empty before its keys are there. */
  readonly hotAddress: string;
}

export interface Holding {
  readonly ccy: string;
  readonly hot: string;
  /** In addresses of users, on the way to the hot wallet. */
  readonly unswept: string;
  readonly cold: string;
  /** The most that transactions may cost that are not final yet, as far as it is not booked yet. */
  readonly costs: string;
}

/** Nothing was signed and nothing will be: the chain would not carry this payment out, now or later. */
export class PaymentRefused extends Error {
  readonly code = "PAYMENT_REFUSED";
}
