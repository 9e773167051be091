/** A fresh world for each test, under any runner, and what a failed test was refused. */
import type { Refusal, Snapshot } from "./admin.ts";
import type { StartedVenue } from "./started-venue.ts";

interface World {
  readonly venue: StartedVenue;
  readonly snapshot: Snapshot;
}

/** A test that gets the venue, and behind it what the runner gives its tests. */
type Body<Args extends unknown[]> = (venue: StartedVenue, ...args: Args) => unknown;

export class TestWorld {
  readonly #start: () => Promise<StartedVenue>;
  readonly #prepare: ((venue: StartedVenue) => unknown) | undefined;
  #world: Promise<World> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => Promise<StartedVenue>, prepare: ((venue: StartedVenue) => unknown) | undefined) {
    this.#start = start;
    this.#prepare = prepare;
  }

  /** The venue, which starts when it is first asked for. */
  async venue(): Promise<StartedVenue> {
    return (await this.#begun()).venue;
  }

  /**
   * The function to give the runner: it lets the venue be what it was after `prepare`, and then runs `body`. When that
   * fails, it prints the requests that were refused meanwhile, each with its rule and figures. Tests that a runner
   * starts side by side wait for each other.
   */
  fresh<Args extends unknown[]>(body: Body<Args>): (...args: Args) => Promise<void> {
    return (...args) => {
      const done = this.#last.then(() => this.#run(body, args));
      this.#last = done.catch(() => {});
      return done;
    };
  }

  /** Stops the venue, if it was ever started. */
  async stop(): Promise<void> {
    await this.#last;
    const world = await this.#world?.catch(() => undefined);
    await world?.venue.stop();
  }

  #begun(): Promise<World> {
    this.#world ??= this.#begin();
    return this.#world;
  }

  async #begin(): Promise<World> {
    const venue = await this.#start();
    try {
      await this.#prepare?.(venue);
      return { venue, snapshot: await venue.snapshot("the world of each test") };
    } catch (error) {
      await venue.stop();
      throw error;
    }
  }

  async #run<Args extends unknown[]>(body: Body<Args>, args: Args): Promise<void> {
    const { venue, snapshot } = await this.#begun();
    await venue.revert(snapshot);
    const { refused } = await venue.admin.refusals(Number.MAX_SAFE_INTEGER);
    try {
      await body(venue, ...args);
    } catch (error) {
      // What cannot be told must not hide why the test failed.
      const told = await venue.admin.refusals(refused).catch(() => undefined);
      // biome-ignore lint/suspicious/noConsole: runners show what is printed so beside the test that printed it.
      if (told !== undefined && told.refusals.length > 0) console.error(refusalsText(told.refusals));
      throw error;
    }
  }
}

function refusalsText(refusals: readonly Refusal[]): string {
  const count = refusals.length === 1 ? "One request was" : `${refusals.length} requests were`;
  return [`${count} refused during this test:`, ...refusals.map(refusalText)].join("\n");
}

/**
 * Such as `  POST /v2/spot/order by alice, 3109: balance not enough (rule 2.4: available=0, needed=100; request 2f…)`.
 */
function refusalText({ method, path, user, code, because, reasons = [], request_id }: Refusal): string {
  const why = reasons.map(({ rule, figures }) => {
    const told = Object.entries(figures).map(([name, value]) => `${name}=${String(value)}`);
    return told.length === 0 ? `rule ${rule}` : `rule ${rule}: ${told.join(", ")}`;
  });
  const by = user === "" ? "" : ` by ${user}`;
  return `  ${method} ${path}${by}, ${code}: ${because} (${[...why, `request ${request_id}`].join("; ")})`;
}
