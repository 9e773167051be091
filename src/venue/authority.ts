/** The settings of four eyes of a start, brought into the log. docs/guides/operators.md, "Four eyes". */
import type { JsonCommand } from "../engine/command.ts";
import { boundText } from "../engine/operators/four-eyes.ts";
import { plainAmount } from "../engine/operators/references.ts";
import { holds } from "../engine/rules-version.ts";
import type { State } from "../engine/state.ts";
import type { Settings } from "./settings.ts";

const ACTOR = "venue";

export interface AuthoritySetUp {
  readonly state: State;
  readonly settings: Pick<Settings, "fourEyes" | "reopensAuthority">;
  /** Settles when it was applied. */
  readonly submit: (command: JsonCommand) => Promise<void>;
  readonly log: { warn(details: object, message: string): void };
}

/**
 * Sets the bounds of a venue that has none, and reopens its authority once. To be called again until the rules know of
 * it.
 */
export class SetUpAuthority {
  readonly #options: AuthoritySetUp;
  #isDone = false;

  constructor(options: AuthoritySetUp) {
    this.#options = options;
  }

  async keep(): Promise<void> {
    const { state, settings, submit, log } = this.#options;
    if (this.#isDone || !holds(state, "authority")) return;
    this.#isDone = true;
    if (settings.reopensAuthority) {
      await submit({ kind: "reopen_authority", actor: ACTOR });
      log.warn(
        {},
        "the tokens of all administrators have ended, and root lets operators in alone: take reopen-authority " +
          "off again",
      );
    }
    const bounds = boundsOf(settings);
    if (bounds.length === 0) return;
    if (state.operators.bounds.size === 0) await submit({ kind: "set_four_eyes", actor: ACTOR, bounds });
    else if (bounds.some(({ ccy, call }) => !isBound(state, ccy, call))) {
      const message =
        "the setting four-eyes is passed over, as the venue has bounds of its own: bourse four-eyes shows and " +
        "sets them";
      log.warn({ setting: Object.fromEntries(settings.fourEyes.call) }, message);
    }
  }
}

function boundsOf({ fourEyes: { call, day, recipient } }: Pick<Settings, "fourEyes">) {
  return Array.from(call, ([ccy, amount]) => ({
    ...{ ccy, call: amount, day: day.get(ccy), recipient: recipient.get(ccy) },
  }));
}

function isBound({ operators }: State, ccy: string, amount: string): boolean {
  const bounds = operators.bounds.get(ccy);
  return bounds !== undefined && boundText(bounds.call) === plainAmount(amount);
}
