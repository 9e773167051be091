/** How handlers let the venue do something: one command, or the sub-requests of a batch as consecutive ones. */
import type { Command } from "../../engine/command.ts";
import { type Engine, type Outcome, refusalIn } from "../../engine/engine.ts";
import { orderIdAt } from "../../engine/event.ts";
import type { Refusal } from "../../engine/refusal.ts";
import type { Backend } from "../backend.ts";
import { engineRefused, Refused } from "../refused.ts";
import type { Answering } from "./answering.ts";
import type { JsonText } from "./json-text.ts";

/** The part of the backend that takes commands. */
export type Submitting = Pick<Backend, "isBusy" | "submit" | "figuresOf">;

/** One element of a batch: the record, or why it was refused. */
export type BatchElement<Row> = { readonly data: Row | JsonText } | Refused;

/**
 * Submits `command` and calls `accepted` when the engine has accepted it; every refusal is answered here, also that of
 * a request that made no command. `accepted` runs right after the command: the outcome and the events are there to be
 * read, and gone when it returns.
 */
export function execute(
  backend: Submitting,
  call: Answering,
  command: Command | Refused,
  accepted: (outcome: Outcome, engine: Engine) => void,
): void {
  if (command instanceof Refused) {
    call.refuse(command);
    return;
  }
  if (backend.isBusy) {
    call.refuse("busy");
    return;
  }
  const taken = backend.submit(command, (outcome, engine) => {
    answering(call, () => {
      const refusal = refusalIn(outcome);
      call.trace?.noteCommand(engine.state.seq, orderIdIn(outcome, engine));
      if (refusal !== undefined) call.refuse(whyRefused(backend, command, refusal, outcome));
      else accepted(outcome, engine);
    });
  });
  if (!taken) call.refuse("stopping");
}

/**
 * Submits what `commandOf` makes of each item in one go, so that the commands stand next to each other, and calls
 * `settled` with one element per item, in their order, when the last one is applied, and at once when there is none. An
 * item that makes no command, or whose command the engine refuses, fails alone.
 */
export function executeBatch<Item>(
  backend: Submitting,
  call: Answering,
  items: readonly (Item | Refused)[],
  commandOf: (item: Item) => Command | Refused,
  print: (outcome: Outcome, engine: Engine) => JsonText,
  settled: (elements: readonly BatchElement<never>[]) => void,
): void {
  if (backend.isBusy) {
    call.refuse("busy");
    return;
  }
  if (items.length === 0) {
    settled([]);
    return;
  }
  const elements: BatchElement<never>[] = new Array(items.length);
  let waiting = items.length;
  const settle = (index: number, element: BatchElement<never>) => {
    elements[index] = element;
    if (element instanceof Refused) call.trace?.noteRefusedElement(element);
    if (--waiting === 0) settled(elements);
  };
  items.forEach((item, index) => {
    const command = item instanceof Refused ? item : commandOf(item);
    if (command instanceof Refused) {
      settle(index, command);
      return;
    }
    const taken = backend.submit(command, (outcome, engine) => {
      answering(call, () => {
        const refusal = refusalIn(outcome);
        call.trace?.noteCommand(engine.state.seq, orderIdIn(outcome, engine));
        settle(
          index,
          refusal === undefined ? { data: print(outcome, engine) } : whyRefused(backend, command, refusal, outcome),
        );
      });
    });
    if (!taken) settle(index, new Refused("stopping"));
  });
}

/**
 * A refusal of the engine, with the figures of the state as it was decided on: a refused command has changed nothing of
 * it.
 */
function whyRefused(backend: Submitting, command: Command, refusal: Refusal, { detail }: Outcome): Refused {
  return engineRefused(refusal, detail, backend.figuresOf?.(command, refusal));
}

/** 0 when the command was about no order. */
function orderIdIn({ orderEvent }: Outcome, { events }: Engine): number {
  return orderEvent < 0 ? 0 : orderIdAt(events, orderEvent);
}

/** Runs within the engine's turn, which no failure to print an answer may disturb. */
function answering(call: Answering, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    call.fail(error);
  }
}
