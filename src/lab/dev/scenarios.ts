/**
 * Scenarios that a dev venue plays on itself: one at a time, in the name of the operator who started it, through the
 * calls that he could make.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type {
  AdminScenarios,
  AdminVenue,
  Asker,
  ScenarioRow,
  ScenarioRun,
  ScenarioSpec,
} from "../../gateway/admin/backend.ts";
import { ownCalls } from "../../gateway/admin/own-calls.ts";
import { ADMIN_CALLS, REFUSAL_ROWS } from "../../gateway/parts.ts";
import { type BuiltinScenario, builtinScenarios } from "../scenario/living/builtins.ts";
import type { LivingScenario } from "../scenario/living/living-scenario.ts";
import { type PlayedLive, playLive } from "../scenario/living/play.ts";
import type { OperatorLink } from "../scenario/living/venue-link.ts";
import { longestMs, marketsOf, stepText } from "../scenario/living/words.ts";
import { ScenarioFault } from "../scenario/scenario.ts";

/** Runs that are remembered, until the process ends. */
const RUNS_MAX = 50;
/** A run that was told to end is not waited for any longer: what it still asks for is refused by then. */
const END_WAIT_MS = 5_000;
/** Paths of calls that would take away the ground on which a scenario stands. */
const FORBIDDEN = /^\/admin\/(?:reset|scenario-runs|snapshots\/[^/]+\/revert)(?:\/|$)/;

const callOwn = ownCalls(ADMIN_CALLS, REFUSAL_ROWS);

export interface ScenariosOptions {
  readonly log: Logger;
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

interface Playing {
  readonly run: Mutable<ScenarioRun>;
  readonly markets: ReadonlySet<string>;
  readonly end: AbortController;
  readonly over: Promise<void>;
}

export class Scenarios implements AdminScenarios {
  readonly #options: ScenariosOptions;
  readonly #runs: ScenarioRun[] = [];
  #playing: Playing | undefined;
  #lastId = 0;
  #venue: AdminVenue | undefined;

  constructor(options: ScenariosOptions) {
    this.#options = options;
  }

  /** Plays on this venue from now on, as its operators have it. To be called before anything is started. */
  playOn(venue: AdminVenue): void {
    this.#venue = venue;
  }

  list(): readonly ScenarioRow[] {
    return builtinScenarios().map(rowOf);
  }

  runs(): readonly ScenarioRun[] {
    return this.#runs;
  }

  start({ scenario: name, bot, paceMs }: ScenarioSpec, by: Asker): ScenarioRun | string {
    if (this.#playing !== undefined) {
      const { runId, scenario } = this.#playing.run;
      return `${scenario} plays already, as run ${runId}: wait until it has ended, or stop it.`;
    }
    const found = builtinScenarios().find((each) => each.name === name);
    if (found === undefined) return `there is no scenario ${name}.`;
    const { file, scenario } = found;
    if (typeof scenario === "string") return `the scenario ${name} cannot be played: ${scenario}`;
    const run: Mutable<ScenarioRun> = {
      ...{ runId: ++this.#lastId, scenario: name, title: scenario.title, bot: bot ?? scenario.bot, actor: by.name },
      ...{ startedAtMs: this.#admin.status().timeMs, endedAtMs: undefined },
      ...{ status: "playing", sentence: "", step: 0, steps: scenario.steps.map(stepText), checks: [] },
    };
    this.#runs.unshift(run);
    this.#runs.splice(RUNS_MAX);
    const end = new AbortController();
    const play = () =>
      playLive(scenario, {
        ...{ operator: this.#linkOf(by), bot, file, paceMs, signal: end.signal, makersPause: true },
        onProgress: ({ step, checks }) => Object.assign(run, { step, checks: [...checks] }),
      });
    const markets = new Set(marketsOf(scenario));
    const over = this.#seeThrough(run, play, end.signal);
    this.#playing = { run, markets, end, over };
    return run;
  }

  stop(runId: number): boolean {
    if (this.#playing?.run.runId !== runId) return false;
    this.#playing.end.abort();
    return true;
  }

  /** Ends what plays, and settles when it has taken back its orders and keys. */
  async end(): Promise<void> {
    if (this.#playing === undefined) return;
    const { end, over } = this.#playing;
    end.abort();
    const waiting = new AbortController();
    await Promise.race([over, pause(END_WAIT_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
  }

  /** Whether the prices of a market of this name come from a scenario now. */
  makesPricesOf(market: string): boolean {
    return this.#playing?.markets.has(market) === true;
  }

  get #admin(): AdminVenue {
    if (this.#venue === undefined) throw new Error("Scenarios have no venue to play on yet.");
    return this.#venue;
  }

  async #seeThrough(run: Mutable<ScenarioRun>, play: () => Promise<PlayedLive>, signal: AbortSignal): Promise<void> {
    try {
      const { checks } = await play();
      const missed = checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
      run.status = missed.length === 0 ? "passed" : "missed";
      run.sentence = missed.length === 0 ? "All that was expected came true." : missed.join(" ");
    } catch (error) {
      run.status = signal.aborted ? "stopped" : "failed";
      run.sentence = signal.aborted ? "It was stopped before its end." : faultText(error);
      if (run.status === "failed" && !(error instanceof ScenarioFault))
        this.#options.log.error({ err: error, scenario: run.scenario }, "a scenario could not be played to its end");
    }
    this.#playing = undefined;
    const { status, submit } = this.#admin;
    run.endedAtMs = status().timeMs;
    const text = `scenario ${run.scenario}, run ${run.runId}, has ended: ${run.status}`;
    submit({ kind: "note", actor: run.actor, text }, () => {});
  }

  #linkOf(by: Asker): OperatorLink {
    const venue = this.#admin;
    return {
      async call(method, path, body) {
        if (method !== "GET" && FORBIDDEN.test(path)) {
          throw new ScenarioFault(`${method} ${path} would end the scenario, so that none may do it.`);
        }
        const answer = await callOwn(venue, by, { method, path, body });
        if (typeof answer === "string") throw new ScenarioFault(`${method} ${path} is refused: ${answer}`);
        return answer;
      },
      text: async () => venue.metrics(),
    };
  }
}

function rowOf({ name, scenario }: BuiltinScenario): ScenarioRow {
  const trouble = typeof scenario === "string" ? scenario : "";
  const { title, about, bot, steps }: Pick<LivingScenario, "title" | "about" | "bot" | "steps"> =
    typeof scenario === "string" ? { title: name, about: "", bot: "", steps: [] } : scenario;
  const [markets, longest] = typeof scenario === "string" ? [[], 0] : [marketsOf(scenario), longestMs(scenario)];
  return { name, title, about, bot, markets, steps: steps.length, longestMs: longest, trouble };
}

function faultText(error: unknown): string {
  if (error instanceof ScenarioFault) return error.message;
  return "It could not be played to its end: the log of the process says why.";
}
