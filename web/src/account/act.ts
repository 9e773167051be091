/** A form's act: busy while it runs, with the venue's sentence beside it where it was refused. */
import { type Accessor, createSignal } from "solid-js";
import { Refusal, sentenceOf } from "../api/client.ts";
import type { Fault } from "../entry/number-field.tsx";
import { say } from "../ui/toasts.tsx";
import { askConfirmation } from "./confirm.ts";

/** The venue wants to know again who sits here. */
const CONFIRMATION_NEEDED = /confirmation_needed|confirm/i;
const NEEDED_CODE = 4158;

export interface Act {
  readonly isBusy: Accessor<boolean>;
  readonly fault: Accessor<Fault | undefined>;
  /** Runs it; true when it was done. */
  readonly run: (action: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

export function createAct(): Act {
  const [isBusy, setIsBusy] = createSignal(false);
  const [fault, setFault] = createSignal<Fault>();
  const attempt = async (action: () => Promise<unknown>, mayAsk: boolean): Promise<boolean> => {
    try {
      await action();
      return true;
    } catch (error) {
      const needsConfirmation =
        error instanceof Refusal &&
        error.code === NEEDED_CODE &&
        CONFIRMATION_NEEDED.test(`${error.reason ?? ""} ${error.message}`);
      if (mayAsk && needsConfirmation && (await askConfirmation())) return await attempt(action, false);
      setFault({ text: sentenceOf(error), rule: error instanceof Refusal ? error.rule : undefined });
      return false;
    }
  };
  return {
    isBusy,
    fault,
    run: async (action, done) => {
      setFault(undefined);
      setIsBusy(true);
      const isDone = await attempt(action, true);
      setIsBusy(false);
      if (isDone && done !== undefined) say(done, "good");
      return isDone;
    },
  };
}
