import { isFrozen } from "./accounts/freeze.ts";
import { type Command, decodeJson, encodeCommand, KIND, kindsThat, type Stamp } from "./command.ts";
import { beginEpoch } from "./epoch.ts";
import * as eventForm from "./event.ts";
import { closePosition } from "./futures/orders/close-position.ts";
import { carryOut, stirs } from "./json-command.ts";
import { type Refusal, refusalNumber, refusalOf } from "./refusal.ts";
import { holds } from "./rules-version.ts";
import { fireIn, runTriggers, runTriggersIn } from "./run-triggers.ts";
import { type BookMaker, State } from "./state.ts";
import { cancelStop, cancelStopsByClientId, modifyStop, placeStop } from "./stops/stop-commands.ts";
import { isOverdue, runDue, scheduleVenue, tick } from "./timers.ts";
import * as cancelling from "./trading/cancel.ts";
import * as modifying from "./trading/modify.ts";
import * as placing from "./trading/place.ts";
import { recordWords, WordBuffer } from "./words.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { cancelAllOrders, cancelByClientId, cancelOrder } = cancelling;
const { modifyOrder } = modifying;
const { placeOrder } = placing;
const { COMMAND_WORDS: COMMAND_SIZE, EVENT } = eventForm;
const COMMAND_HEAD = EVENT.command | (COMMAND_SIZE << 8);
const PLACE_ORDER = KIND.place_order;
const MODIFY_ORDER = KIND.modify_order;
const CANCEL_ORDER = KIND.cancel_order;
const JSON_COMMAND = KIND.json;
const BEGIN_EPOCH = KIND.begin_epoch;
const TICK = KIND.tick;
/** By the kind of a record: whether a user wishes it, and whether it may set a trigger that the price has reached. */
const BY_USER: ArrayLike<number> = kindsThat(({ by }) => by === "user");
const SETS_TRIGGER: ArrayLike<number> = kindsThat(({ fires }) => fires === "always");
/** No command has this kind. */
const REFUSED = 0;
const ACCOUNT_FROZEN = refusalNumber("account_frozen");
const INVALID_COMMAND = refusalNumber("invalid_command");

/**
 * The outcome of the last command. One object, overwritten by the next command: read it before applying another. Its
 * events are the words from `from` to `to` of the engine's event buffer.
 */
export interface Outcome {
  /** 0 = accepted; else a refusal's number, see refusal.ts. */
  refusal: number;
  /** Sentence that says what is wrong; only of refused JSON commands. */
  detail: string | undefined;
  /** The result of an accepted JSON command. */
  result: unknown;
  /** Word of the last event of the order that the command concerns, or -1. */
  orderEvent: number;
  /** As `orderEvent`, of the stop order. */
  stopEvent: number;
  from: number;
  to: number;
}

/**
 * The venue as a pure state machine: the same commands with the same stamps give the same state and the same events.
 * It knows no clock, no randomness and no input or output.
 */
export class Engine {
  readonly state: State;
  readonly outcome: Outcome = {
    refusal: 0,
    detail: undefined,
    result: undefined,
    orderEvent: -1,
    stopEvent: -1,
    from: 0,
    to: 0,
  };
  private readonly scratch = new WordBuffer(64);

  constructor(makeBook?: BookMaker) {
    this.state = new State(makeBook);
  }

  /** The events since the last `clear` of this buffer. Its reader clears it. */
  get events(): WordBuffer {
    return this.state.events;
  }

  /**
   * Applies the command record at word `at`. `seq` follows the last one and `timeMs` is not before the last one;
   * the caller who stamps sees to that. A refused command changes nothing but seq and time.
   */
  apply(record: WordBuffer, at: number, seq: number, timeMs: number): Outcome {
    const { state, outcome } = this;
    const { events } = state;
    const from = events.length;
    const lastMs = state.timeMs;
    state.seq = seq;
    state.timeMs = timeMs;
    outcome.refusal = 0;
    outcome.detail = undefined;
    outcome.result = undefined;
    outcome.orderEvent = -1;
    outcome.stopEvent = -1;
    outcome.from = from;
    let kind = (record.i32[at * 2] as number) & 255;
    if (kind === BEGIN_EPOCH) {
      outcome.to = from;
      if (!beginEpoch(state, record.i32[at * 2 + 2] as number)) outcome.refusal = INVALID_COMMAND;
      return outcome;
    }
    const dealsBefore = state.nextDealId;
    openCommand(events, seq, timeMs);
    const isDue = timeMs >= state.nextDueMs;
    if (isDue) {
      state.ticks.beforeMs = lastMs;
      runDue(state);
    }
    // Whether a market may have opened, or a price have moved anywhere.
    let looksEverywhere = isDue;
    // The gateway lets nothing of a frozen account through, but a command may have been on its way when the account was
    // frozen.
    if (BY_USER[kind] === 1) {
      const userId = record.i32[at * 2 + 1] as number;
      if (state.users.mayBeHeld(userId) && isFrozen(state, userId)) kind = REFUSED;
    }
    switch (kind) {
      case REFUSED:
        outcome.refusal = ACCOUNT_FROZEN;
        break;
      case MODIFY_ORDER:
        modifyOrder(state, state.scratch, record, at, outcome);
        break;
      case PLACE_ORDER:
        placeOrder(state, state.scratch, record, at, outcome);
        break;
      case CANCEL_ORDER:
        cancelOrder(state, record, at, outcome);
        break;
      case KIND.cancel_all_orders:
        cancelAllOrders(state, record, at, outcome);
        break;
      case KIND.cancel_by_client_id:
        cancelByClientId(state, record, at, outcome);
        break;
      case KIND.place_stop_order:
        placeStop(state, record, at, outcome);
        break;
      case KIND.modify_stop_order:
        modifyStop(state, record, at, outcome);
        break;
      case KIND.cancel_stop_order:
        cancelStop(state, record, at, outcome);
        break;
      case KIND.cancel_stop_by_client_id:
        cancelStopsByClientId(state, record, at, outcome);
        break;
      case KIND.close_position:
        closePosition(state, record, at, outcome);
        break;
      case TICK:
        state.ticks.beforeMs = lastMs;
        tick(state);
        looksEverywhere = true;
        break;
      case JSON_COMMAND:
        state.ticks.beforeMs = lastMs;
        looksEverywhere = this.applyJson(decodeJson(record, at)) || isDue;
        // What something waited for may be gone, or its time be now.
        if (looksEverywhere && isOverdue(state)) runDue(state);
        scheduleVenue(state);
        break;
      default:
        throw new Error(`There is no command of kind ${kind}.`);
    }
    if (looksEverywhere) runTriggers(state, state.nextDealId !== dealsBefore);
    else if (state.futures.isTouched || state.margin.isTouched) runTriggersIn(state, record.i32[at * 2 + 2] as number);
    else if (
      state.stops.live + state.futures.exits.live > 0 &&
      (state.nextDealId !== dealsBefore || SETS_TRIGGER[kind] === 1)
    ) {
      // Otherwise only a deal moves the price, and only in the command's own market; or a stop order's trigger has been
      // set.
      fireIn(state, record.i32[at * 2 + 2] as number);
    }
    if (state.mayLeave) this.letLeave(lastMs);
    // A command that did nothing leaves no trace.
    if (events.length === from + COMMAND_SIZE) events.length = from;
    outcome.to = events.length;
    return outcome;
  }

  /** A market that waited for its last position or loan to go leaves with it. */
  private letLeave(lastMs: number): void {
    const { state } = this;
    state.ticks.beforeMs = lastMs;
    while (state.mayLeave) {
      state.mayLeave = false;
      if (!holds(state, "leavesWithLast") || !isOverdue(state)) continue;
      runDue(state);
      runTriggers(state, true);
    }
  }

  /** Applies every record of a log group. */
  applyGroup(records: WordBuffer, firstSeq: number, timeMs: number): void {
    let seq = firstSeq;
    for (let at = 0; at < records.length; at += recordWords(records, at)) this.apply(records, at, seq++, timeMs);
  }

  /** Applies one command given as an object; for tests and tools. */
  execute(command: Command, stamp: Stamp): Outcome {
    this.scratch.clear();
    return this.apply(this.scratch, encodeCommand(this.scratch, command), stamp.seq, stamp.timeMs);
  }

  /** Returns whether the command may have moved a price, freed money or opened a market. */
  private applyJson(command: unknown): boolean {
    const answer = carryOut(this.state, command);
    this.outcome.refusal = answer.refusal === undefined ? 0 : refusalNumber(answer.refusal);
    this.outcome.detail = answer.refusal === undefined ? undefined : answer.detail;
    this.outcome.result = answer.refusal === undefined ? answer.result : undefined;
    return stirs(command);
  }
}

/** The refusal of an outcome by name; undefined when it was accepted. */
export function refusalIn(outcome: Outcome): Refusal | undefined {
  return refusalOf(outcome.refusal);
}

function openCommand(events: WordBuffer, seq: number, timeMs: number): void {
  const at = events.open(COMMAND_SIZE);
  events.i32[at * 2] = COMMAND_HEAD;
  events.i32[at * 2 + 1] = 0;
  events.f64[at + 1] = seq;
  events.f64[at + 2] = timeMs;
}
