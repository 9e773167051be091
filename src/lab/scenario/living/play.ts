/**
 * Plays a scenario on a living venue of the dev profile: it moves the indexes, the books and the clock, and looks at
 * what a bot makes of it.
 */
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ScenarioFault } from "../scenario.ts";
import { BackgroundTraders, fund, marketRef } from "./background-traders.ts";
import { Figures, isAsWanted } from "./figures.ts";
import type { LivingScenario, LivingStep, Pass } from "./living-scenario.ts";
import { type RecordedPrice, readRecorded } from "./recorded.ts";
import { ApiCaller, type OperatorLink } from "./venue-link.ts";
import { marketsOf, wantedText } from "./words.ts";

/** An expectation, and whether it came true. */
export interface Check {
  /** Counted from 1, as in the file. */
  readonly step: number;
  /** Such as "liquidated = 0". */
  readonly name: string;
  readonly ok: boolean;
  /** The figure that there was, as a sentence. */
  readonly sentence: string;
  /** The venue's time, ms. */
  readonly timeMs: number;
}

export interface PlayedLive {
  readonly checks: readonly Check[];
  readonly notes: readonly { readonly timeMs: number; readonly text: string }[];
  /** The venue's time that it took, ms. */
  readonly durationMs: number;
}

/** How far it has come. */
export interface Progress extends Omit<PlayedLive, "durationMs"> {
  /** The step that is being played, counted from 1; 0 before the first. */
  readonly step: number;
}

export interface PlayOptions {
  readonly operator: OperatorLink;
  /** In the place of the file's bot. */
  readonly bot?: string | undefined;
  /** Where the scenario lies, with the prices beside it. */
  readonly file: string;
  /** Real ms that a bot has between two ticks of a clock that is in our hand. */
  readonly paceMs: number;
  /** Whether the venue's makers pause in the scenario's markets meanwhile; false unless given. */
  readonly makersPause?: boolean;
  /** Ends it before its time: it throws what the signal was aborted with. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of every step and of every expectation. */
  onProgress?(progress: Progress): void;
}

/** A source repeats its price this often, well before an index would drop it. */
const SPEAK_EVERY_MS = 5_000;
const RELATIVE = /^\+(\d{1,6})([smhd])$/;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export async function playLive(scenario: LivingScenario, options: PlayOptions): Promise<PlayedLive> {
  const status = await options.operator.call("GET", "/admin/status");
  if (status["profile"] !== "dev") throw new ScenarioFault("A scenario is played on venues of the dev profile only.");
  const isVirtual = (status["clock"] as { kind?: string }).kind === "virtual";
  await refuseImpossible(scenario, options, status["makers"] === true);
  return new LivePlay(scenario, options, String(status["url"]), Number(status["time_ms"]), isVirtual).run();
}

/** Refuses before anything is done what could only fail in the end, maybe after hours of the machine's time. */
async function refuseImpossible(
  scenario: LivingScenario,
  { operator, makersPause = false }: PlayOptions,
  hasMakers: boolean,
): Promise<void> {
  const markets = marketsOf(scenario);
  const { markets: listed } = (await operator.call("GET", "/admin/markets")) as { markets: { market: string }[] };
  // A market that the scenario lists itself comes later.
  const isListedLater = scenario.steps.some(
    (step) =>
      step.do === "operator" && step.calls.some(({ method, path }) => method === "POST" && path === "/admin/markets"),
  );
  const missing = markets.filter((name) => !listed.some(({ market }) => market === name));
  if (missing.length > 0 && !isListedLater) {
    throw new ScenarioFault(`This venue has no market ${missing.join(", ")}, whose prices the scenario would make.`);
  }
  if (hasMakers && !makersPause && markets.length > 0) {
    throw new ScenarioFault(
      `The makers of this venue move ${markets.join(", ")} themselves, against the prices of the scenario. ` +
        "Start the venue with --makers off; or let it play a scenario that comes along by itself, which its makers " +
        "pause for: bourse scenario start --scenario NAME.",
    );
  }
}

interface IndexOfMarket {
  readonly sources: readonly { readonly exchange: string }[];
  readonly decimals: number;
}

class LivePlay {
  readonly #scenario: LivingScenario;
  readonly #options: PlayOptions;
  readonly #operator: OperatorLink;
  readonly #apiUrl: string;
  readonly #isVirtual: boolean;
  readonly #traders: BackgroundTraders;
  readonly #beganMs: number;
  readonly #checks: Check[] = [];
  readonly #notes: { timeMs: number; text: string }[] = [];
  /** The prices that the sources state, and when they stated them last. */
  readonly #prices = new Map<string, number>();
  readonly #spokenAt = new Map<string, number>();
  readonly #markets = new Map<string, IndexOfMarket>();
  #silent: ReadonlySet<string> = new Set();
  #figures: Figures | undefined;
  #timeMs: number;
  #step = 0;

  constructor(scenario: LivingScenario, options: PlayOptions, apiUrl: string, timeMs: number, isVirtual: boolean) {
    this.#scenario = scenario;
    this.#options = options;
    this.#operator = options.operator;
    this.#apiUrl = apiUrl;
    this.#timeMs = timeMs;
    this.#beganMs = timeMs;
    this.#isVirtual = isVirtual;
    this.#traders = new BackgroundTraders(options.operator, apiUrl, scenario);
  }

  async run(): Promise<PlayedLive> {
    const key = await this.#prepare();
    try {
      for (const [at, step] of this.#scenario.steps.entries()) {
        this.#options.signal?.throwIfAborted();
        this.#step = at + 1;
        this.#tell();
        const goesOn = await inPlace(`Step ${at + 1}`, () => this.#do(step, at + 1));
        // Whatever comes after it would be measured of a bot that is somewhere else.
        if (!goesOn) break;
      }
    } finally {
      await this.#traders.leave();
      await this.#operator.call("DELETE", `/admin/api-keys/${key}`);
    }
    return { checks: this.#checks, notes: this.#notes, durationMs: this.#timeMs - this.#beganMs };
  }

  #tell(): void {
    this.#options.onProgress?.({ step: this.#step, checks: this.#checks, notes: this.#notes });
  }

  /** The access id of a key that reads what the bot has. */
  async #prepare(): Promise<string> {
    const bot = this.#options.bot ?? this.#scenario.bot;
    const { users } = await this.#operator.call("GET", `/admin/users?name=${encodeURIComponent(bot)}`);
    const user = (users as { name: string; user_id: number }[]).find(({ name }) => name === bot);
    if (user === undefined) throw new ScenarioFault(`There is no user ${bot}, whose account is to be looked at.`);
    const botId = Number(user.user_id);
    await this.#traders.enter();
    const made = await this.#operator.call("POST", "/admin/api-keys", { user_id: botId });
    const reader = new ApiCaller(this.#apiUrl, {
      accessId: String(made["access_id"]),
      secret: String(made["secret_key"]),
    });
    await fund(this.#operator, botId, this.#scenario.funds, reader);
    const contracts = Object.keys(this.#scenario.quotes).flatMap((market) => {
      const { name, isFutures } = marketRef(market);
      return isFutures ? [name] : [];
    });
    const ownRefused = () => this.#traders.refused + reader.refused;
    this.#figures = new Figures({ operator: this.#operator, reader, botId, ownRefused, contracts });
    await this.#figures.begin();
    return String(made["access_id"]);
  }

  /** Whether the scenario goes on. */
  async #do(step: LivingStep, at: number): Promise<boolean> {
    switch (step.do) {
      case "note":
        this.#notes.push({ timeMs: this.#timeMs, text: step.text });
        break;
      case "orders":
        for (const line of step.orders) await this.#traders.place(line);
        break;
      case "silence":
        this.#silent = new Set(step.markets);
        break;
      case "premium":
        for (const [market, share] of Object.entries(step.shares)) this.#traders.setPremium(market, share);
        await this.#traders.quote(this.#prices);
        break;
      case "withdraw":
        for (const market of step.markets) await this.#traders.withdraw(market);
        break;
      case "operator":
        for (const { method, path, body } of step.calls)
          await this.#operator.call(method, path, body && (this.#placed(body) as object));
        break;
      case "pass":
        await this.#pass(step);
        break;
      case "until":
        return await this.#until(step, at);
      case "expect":
        for (const [figure, wanted] of Object.entries(step.figures)) {
          const found = await this.#figure(figure);
          this.#check(at, figure, wanted, isAsWanted(found, wanted), `it is ${found}.`);
        }
    }
    return true;
  }

  async #until({ figures, withinMs, tickMs }: Extract<LivingStep, { do: "until" }>, at: number): Promise<boolean> {
    const endMs = this.#timeMs + withinMs;
    const left = new Map(Object.entries(figures));
    for (;;) {
      for (const [figure, wanted] of left) if (isAsWanted(await this.#figure(figure), wanted)) left.delete(figure);
      if (left.size === 0 || this.#timeMs >= endMs) break;
      await this.#tick(Math.min(tickMs, endMs - this.#timeMs));
      await this.#speak([]);
    }
    for (const [figure, wanted] of Object.entries(figures)) {
      const isMissed = left.has(figure);
      const found = isMissed ? await this.#figure(figure) : "";
      const sentence = isMissed ? `it was not so within ${withinMs / 1_000} s, and is ${found}.` : "it came to be so.";
      this.#check(at, `until ${figure}`, wanted, !isMissed, sentence);
    }
    return left.size === 0;
  }

  #check(step: number, figure: string, wanted: string, ok: boolean, found: string): void {
    const name = wantedText(figure, wanted);
    const sentence = ok ? "" : `Step ${step}: ${name} was expected, but ${found}`;
    this.#checks.push({ step, name, ok, sentence, timeMs: this.#timeMs });
    this.#tell();
  }

  #figure(name: string): Promise<string> {
    return (this.#figures as Figures).of(name);
  }

  async #pass({ ms, tickMs, index, recorded }: Pass): Promise<void> {
    const from = this.#timeMs;
    const paths = [
      ...Object.entries(index).map(([market, text]) => ({ market, points: this.#lineTo(market, text, ms) })),
      ...Object.entries(recorded).map(([market, name]) => ({
        market,
        points: readRecorded(join(dirname(this.#options.file), name)),
      })),
    ];
    const endMs = Math.max(ms, ...paths.map(({ points }) => points.at(-1)?.afterMs ?? 0));
    for (;;) {
      const passed = this.#timeMs - from;
      for (const { market, points } of paths) this.#prices.set(market, priceAt(points, passed));
      await this.#speak(paths.map(({ market }) => market));
      if (passed >= endMs) return;
      await this.#tick(Math.min(tickMs, endMs - passed));
    }
  }

  #lineTo(market: string, text: string, ms: number): RecordedPrice[] {
    const price = Number(text);
    if (!(price > 0)) throw new ScenarioFault(`${market}: ${text} is no price.`);
    return ms === 0
      ? [{ afterMs: 0, price }]
      : [
          { afterMs: 0, price: this.#prices.get(market) ?? price },
          { afterMs: ms, price },
        ];
  }

  /** Time passes: by the operator's hand on a virtual clock, by itself on a real one. A bot has its turn then. */
  async #tick(ms: number): Promise<void> {
    const { paceMs, signal } = this.#options;
    signal?.throwIfAborted();
    if (this.#isVirtual) {
      // What happens within a long tick, fundings and samples, needs an index that is not stale.
      const holdsIndex = ms > SPEAK_EVERY_MS && this.#silent.size === 0;
      const { time_ms } = await this.#operator.call("POST", "/admin/clock", {
        advance_ms: ms,
        ...(holdsIndex ? { hold_index: true } : {}),
      });
      this.#timeMs = Number(time_ms);
      await pause(paceMs, undefined, { signal });
    } else {
      await pause(ms, undefined, { signal });
      this.#timeMs += ms;
    }
  }

  /**
   * The sources of the named markets say their price, and others repeat theirs when it is time; then the books follow.
   */
  async #speak(moved: readonly string[]): Promise<void> {
    for (const [market, price] of this.#prices) {
      const isDue = this.#timeMs - (this.#spokenAt.get(market) ?? 0) >= SPEAK_EVERY_MS;
      if (this.#silent.has(market) || !(isDue || moved.includes(market))) continue;
      const { name, isFutures } = marketRef(market);
      const { sources, decimals } = await this.#indexOf(market);
      this.#spokenAt.set(market, this.#timeMs);
      await this.#operator.call("POST", "/admin/index-prices", {
        market: name,
        market_type: isFutures ? "FUTURES" : "SPOT",
        sources: sources.map(({ exchange }) => ({ exchange, price: price.toFixed(decimals) })),
      });
    }
    await this.#traders.quote(this.#prices);
  }

  async #indexOf(market: string): Promise<IndexOfMarket> {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    const { name, isFutures } = marketRef(market);
    const row = await this.#operator.call(
      "GET",
      `/admin/markets/${name}?market_type=${isFutures ? "FUTURES" : "SPOT"}`,
    );
    const sources = (row["index_sources"] ?? []) as { exchange: string }[];
    if (sources.length === 0) throw new ScenarioFault(`${market} has no index.`);
    const made = { sources, decimals: Number(row["quote_ccy_precision"]) };
    this.#markets.set(market, made);
    return made;
  }

  /** Times such as "+30m" as the venue's time by then. */
  #placed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#placed(item));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#placed(inner)]));
    const [, count, unit] = RELATIVE.exec(String(value)) ?? [];
    if (typeof value !== "string" || count === undefined) return value;
    return this.#timeMs + Number(count) * UNITS[unit as keyof typeof UNITS];
  }
}

/** In a straight line between two rows; before the first and behind the last it stands. */
function priceAt(points: readonly RecordedPrice[], ms: number): number {
  const next = points.findIndex(({ afterMs }) => afterMs > ms);
  const [before, after] = [points[next < 0 ? points.length - 1 : Math.max(0, next - 1)], points[next]];
  if (before === undefined) throw new ScenarioFault("There are no prices.");
  if (after === undefined || next === 0) return before.price;
  const share = (ms - before.afterMs) / (after.afterMs - before.afterMs);
  return before.price + (after.price - before.price) * share;
}

/** Does `work`, and says where in the file it was when it finds a fault. */
async function inPlace<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error;
    throw new ScenarioFault(`${place}: ${error.message}`, { cause: error });
  }
}
