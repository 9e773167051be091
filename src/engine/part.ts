/**
 * The contract between the engine's kernel and its parts. A part is one folder that says everything about a product or
 * a service of the venue; the kernel knows it by this contract alone, and by its line in parts.ts.
 * docs/guides/adding-a-part.md goes through one.
 *
 * - **Commands.** `command-schemas.ts` of the part declares each JSON command once, by its fields and by whose wish it
 *   is (command-schema.ts): type, check, freeze of accounts and words of the log follow from it. `declare module
 *   "../command.ts"` enters them in `JsonCommands`. `commands` says who carries each out: a schema without one does not
 *   compile, and neither does a part whose commands are entered and whose line in parts.ts is forgotten.
 * - **A command** is a function of state and command. It decides every refusal before its first write, writes, tells
 *   what happened (`emitRareEvent`, postings of the ledger) and answers. It throws for nothing that stands in the log.
 * - **Codes.** Refusals (refusal.ts), kinds of cells (ledger/cell.ts) and of postings (ledger/posting.ts) are
 *   declared by the part, with codes that never change; a code that is taken ends the program where it starts.
 *   Their names, and the events that it tells (`RareEvents` in event.ts), it enters in the interfaces that stand there.
 * - **State** is a `Slot` (slot.ts), or a field of State for what is looked at all day. What the part keeps, its
 *   `sections` write.
 * - **Safety.** `check` says what must hold of the state, `audits` whether its events tell one true story. Money that
 *   moves without an audit that gives the reason, a frozen unit that no part answers for, and a cell of the wrong sign
 *   or owner are found without them.
 *
 * Hot commands (orders) are binary, and stand in the switch of engine.ts.
 */
import type { Answer } from "./answer.ts";
import type { Audit, AuditOptions } from "./audit/audit.ts";
import type { CommandOf, CommandSchemas } from "./command-schema.ts";
import type { Due } from "./due.ts";
import type { DealEvent } from "./event.ts";
import type { Asset } from "./listing/asset.ts";
import type { Market } from "./listing/market.ts";
import type { Refusal } from "./refusal.ts";
import type { Section } from "./snapshot/section.ts";
import type { State } from "./state.ts";
import type { Settlement } from "./trading/settlement.ts";

/** Who carries out the commands of these schemas. */
export type CarriedOut<All extends CommandSchemas> = {
  readonly [Kind in keyof All]: (state: State, command: CommandOf<All, Kind>) => Answer;
};

/** Some markets, or all in which a price has come or something was set that waits for one. */
export type Markets = readonly Market[] | "dirty";

/** Units of an asset that are to leave a user. */
export type Outflow = readonly [asset: Asset, units: bigint];

/**
 * Where they go: to others (users, the outside world, a pool), into accounts of the user's own in which leverage may
 * lose them; or they have been put aside for others and are now to be paid.
 */
export type Outlet = "others" | "leverage" | "aside";

/** Units of an asset that an action brings to a user, or below 0 takes. */
export type Change = readonly [assetId: number, units: bigint];

/** Takes down what does not hold of a state. */
export interface Census {
  readonly expect: (holds: boolean, breach: () => string) => void;
  /**
   * Counts units that the part has frozen in a cell of the ledger. The sum over all parts is what the cell holds
   * frozen.
   */
  freezes(cell: number, units: bigint): void;
}

export interface Part<All extends CommandSchemas = CommandSchemas> {
  /** Its own, in the words of the trade. */
  readonly name: string;
  readonly commandSchemas: All;
  readonly commands: CarriedOut<All>;

  /** How orders and fills are settled in the markets of its type, of which it is the only part. */
  readonly settlement?: Settlement;

  /** Its share of a snapshot. */
  readonly sections?: readonly Section[];
  /** Says what does not hold of the state between two commands. Reads only. */
  check?(state: State, census: Census): void;
  /** Who follows its events, from this state on. */
  audits?(state: State, options: AuditOptions): readonly Audit[];

  /**
   * Its work that is due by the clock, of the venue as a whole, and of a market that is listed. Running it moves its
   * time on.
   */
  due?(state: State): readonly Due[];
  dueIn?(state: State, market: Market): readonly Due[];
  /** When something is due, before all of it: whether anything may trade. */
  beforeDue?(state: State): void;
  /** After a command that may have opened something: whether what was due and had to wait can be done now. */
  isOverdue?(state: State): boolean;
  /**
   * The same of a market, of those in which something may have to wait for an obstacle to go (`state.waiting`);
   * undefined where nothing has to or is about to, until the market is entered there again.
   */
  isOverdueIn?(state: State, market: Market): boolean | undefined;
  /** On a tick of the clock. */
  tick?(state: State): void;

  /**
   * After a command, accounts that it has touched; with `everywhere` also those that prices have reached before. It
   * ends with nobody left to look at.
   */
  lookAfterAccounts?(state: State, everywhere: boolean): void;
  /**
   * After that, what waits for the prices of these markets; whether anything has fired. It ends, because what fires is
   * gone.
   */
  fire?(state: State, markets: Markets): boolean;

  /** A market has been listed, or has come back from a snapshot. */
  onListed?(state: State, market: Market): void;
  /** A market is about to leave the list: the part ends what it has in it. */
  onDelisting?(state: State, market: Market): void;
  /** Why a user may withdraw nothing at present, as a sentence; undefined when this part has nothing against it. */
  barsWithdrawal?(state: State, userId: number): string | undefined;
  /** Why so much may not leave a user. */
  refuseOutflow?(state: State, userId: number, outflow: readonly Outflow[], outlet: Outlet): Answer | undefined;
  /** Whether a user owes the part something, or could: it is then asked before the user trades. See `noteOwing`. */
  owes?(state: State, userId: number): boolean;
  /** Whether a user owes units of an asset that he repays out of his spot account. */
  owesAsset?(state: State, userId: number, assetId: number): boolean;
  /** Why a user who owes may not trade, unless he only reduces what he has at risk or owes. */
  refuseTrading?(state: State, userId: number): Refusal | undefined;
  /**
   * Why the spot account of a user who owes may not be left with these changes by an order. `isFair`: it is no worse
   * than the indexes, and costs its fee alone.
   */
  refuseResult?(state: State, userId: number, changes: readonly Change[], isFair: boolean): Refusal | undefined;
  /** Whether the part objects to fair orders of a user, too. */
  looksAtFairOrders?(state: State, userId: number): boolean;
  /**
   * Tells the units of each asset that a user owns in the part's accounts, less what it owes there. They back a credit.
   */
  holdings?(state: State, userId: number, hold: (assetId: number, units: bigint) => void): void;
  /**
   * Debts of the venue to users of the part's accounts beyond balances that are owed as they are (liabilities/owed.ts):
   * equity, shares. Never below 0. All users at once, in any order.
   */
  owed?(state: State, owe: (userId: number, assetId: number, units: bigint) => void): void;
  /** Whether leverage may lose the money in its accounts. */
  readonly isLeveraged?: boolean;
  /** A deal has been made in which a user with the flag `referred` has a part. */
  onDeal?(state: State, market: Market, deal: DealEvent): void;
  /**
   * An order that others stand or fall with has been told of, as it stands; with `isOver` for the last time. It may be
   * under way: what hears of it touches no order and no book.
   */
  onGroupedOrder?(state: State, slot: number, isOver: boolean): void;
  /** A user has been credited with units from outside, by an operator, or over a chain that does not take them back. */
  onDeposit?(state: State, userId: number, asset: Asset, units: bigint): void;
  /** The index of a market has a price. */
  onIndexPrice?(state: State, market: Market): void;
}

/** Declares a part. */
export function part<const All extends CommandSchemas>(declared: Part<All>): Part<All> {
  return declared;
}
