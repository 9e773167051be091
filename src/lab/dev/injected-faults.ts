/**
 * Injects faults on purpose, so that a client can be tried against them: dev profile only. A fault strikes requests
 * that have proved who they are and are about to be served, over HTTP and over sockets, or sockets themselves, or the
 * prices that the simulated index sources bring. The struck ones are drawn from the seed, so that a fixed world
 * repeats; each fault and each time that it strikes is a note in the log.
 */
import { type Chance, type ChancePlace, SeededChance } from "../../gateway/auth/chance.ts";
import type { Asked, Disturbed, Fault, Faults, Strike } from "../../gateway/faults/faults.ts";
import { type FaultSpec, isOnRequests, type Matched, matchOf } from "../../gateway/faults/terms.ts";
import type { RequestContext } from "../../gateway/http/request-context.ts";
import { Refused, type WireRefusal } from "../../gateway/refused.ts";

export interface FaultsOptions {
  /** The draws of a fault, by its number. */
  readonly chanceOf: (faultId: number) => Chance;
  /** Writes a note into the log. */
  readonly note: (text: string) => void;
  /** The venue's clock, ms. */
  readonly now: () => number;
}

interface Held {
  readonly faultId: number;
  readonly terms: FaultSpec;
  readonly matched: Matched;
  readonly chance: Chance;
  readonly sinceMs: number;
  struck: number;
}

const REFUSED_AS: Readonly<Partial<Record<FaultSpec["fault"], WireRefusal>>> = {
  busy: "busy",
  unavailable: "unavailable",
  timeout: "timeout",
  limited: "rate_limited",
};

const SHARE_BYTES = 4;
const SHARE_ONE = 2 ** 32;

export class InjectedFaults implements Faults {
  /** Whether a request has to ask; the one look that all others cost. */
  isOnRequests = false;
  readonly #options: FaultsOptions;
  #held: Held[] = [];
  #count = 0;
  #sockets: () => Iterable<Disturbed> = () => [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** Whose sockets are disturbed. */
  attach(sockets: () => Iterable<Disturbed>): void {
    this.#sockets = sockets;
  }

  list(): readonly Fault[] {
    return this.#held.map(({ faultId, terms, struck }) => ({ faultId, ...terms, struck }));
  }

  /** The number of a fault that is about to begin. */
  reserve(): number {
    return ++this.#count;
  }

  /** Begins a fault, whose terms are sound. Sockets are disturbed at once, and the fault is over; the others hold. */
  begin(faultId: number, terms: FaultSpec): Fault {
    const matched = matchOf(terms.match) as Matched;
    const sinceMs = this.#options.now();
    const held = { faultId, terms, matched, chance: this.#options.chanceOf(faultId), sinceMs, struck: 0 };
    if (terms.fault === "close_sockets" || terms.fault === "stall_sockets") this.#disturb(held);
    else {
      this.#held.push(held);
      this.#look();
    }
    return { faultId, ...terms, struck: held.struck };
  }

  /** False when there is no such fault; without a number all end. */
  end(faultId?: number): boolean {
    const before = this.#held.length;
    this.#held = faultId === undefined ? [] : this.#held.filter((held) => held.faultId !== faultId);
    this.#look();
    return faultId === undefined || this.#held.length < before;
  }

  /**
   * Keeps those that hold as they are, for a venue that goes back: what it gives sets them so again, as often as it is
   * called.
   */
  save(): () => void {
    const count = this.#count;
    const saved = this.#held.map((held) => ({ ...held, place: placeOf(held.chance) }));
    return () => {
      this.#count = count;
      this.#held = saved.map(({ place, ...held }) => {
        const chance = this.#options.chanceOf(held.faultId);
        if (place !== undefined && chance instanceof SeededChance) chance.goTo(place);
        return { ...held, chance };
      });
      this.#look();
    };
  }

  close(): void {
    this.end();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Returns the outcome that a fault gives to a request; undefined when no fault strikes it. */
  strikes(asked: Asked): Strike | undefined {
    const held = this.#held.find((each) => isOnRequests(each.terms.fault) && injectsFault(each, asked));
    if (held === undefined) return undefined;
    const { fault, ms = 0, when = "before" } = held.terms;
    this.#strike(held, asked.what + ofUser(asked.userId));
    const refusal = REFUSED_AS[fault];
    if (refusal !== undefined) {
      return { refused: new Refused(refusal, undefined, undefined, { fault_id: held.faultId }), when };
    }
    return fault === "delay" ? { delayMs: ms } : { cut: when };
  }

  /** Whether a fault takes a request over HTTP over; `goOn` serves it, should that come to it. */
  takes(context: RequestContext, goOn: () => void): boolean {
    const { path, route, userId, method, pattern = "" } = context;
    const strike = this.strikes({ paths: [path, route.pattern], names: [], userId, what: `${method} ${pattern}` });
    if (strike === undefined) return false;
    if ("refused" in strike) {
      if (strike.when === "before") context.refuse(strike.refused);
      else {
        context.refuseInstead(strike.refused);
        goOn();
      }
    } else if ("delayMs" in strike) this.later(strike.delayMs, goOn, (error) => context.fail(error));
    else if (strike.cut === "before") context.drop();
    else {
      context.dropAnswer();
      goOn();
    }
    return true;
  }

  /** Does something after so many ms, unless the venue ends before; `fail` hears of what that throws. */
  later(ms: number, goOn: () => void, fail: (error: unknown) => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      try {
        goOn();
      } catch (error) {
        fail(error);
      }
    }, ms);
    this.#timers.add(timer);
  }

  /** Whether the index sources of a market are to be silent. */
  silences(market: string): boolean {
    if (this.#held.length === 0) return false;
    const nowMs = this.#options.now();
    const isOver = ({ terms, sinceMs }: Held) =>
      terms.fault === "stale_index" && terms.ms !== undefined && nowMs >= sinceMs + terms.ms;
    for (const held of this.#held.filter(isOver)) {
      this.end(held.faultId);
      this.#options.note(`fault ${held.faultId} is over: the index sources speak again`);
    }
    return this.#held.some(
      ({ terms, matched }) => terms.fault === "stale_index" && (matched.name === undefined || matched.name === market),
    );
  }

  #strike(held: Held, whom: string): void {
    held.struck++;
    this.#options.note(`fault ${held.faultId} strikes: ${held.terms.fault}, ${whom}`);
    if (held.terms.count !== undefined && held.struck >= held.terms.count) this.end(held.faultId);
  }

  #disturb(held: Held): void {
    const { terms, matched, chance } = held;
    for (const socket of this.#sockets()) {
      if (terms.count !== undefined && held.struck >= terms.count) return;
      if (matched.userId !== undefined && matched.userId !== socket.userId) continue;
      if (matched.name !== undefined && !socket.follows(matched.name)) continue;
      if (!isDrawn(terms, chance)) continue;
      this.#strike(held, `a socket${ofUser(socket.userId)}`);
      if (terms.fault === "close_sockets") socket.goAway();
      else socket.stall(terms.ms ?? 0);
    }
  }

  #look(): void {
    this.isOnRequests = this.#held.some(({ terms }) => isOnRequests(terms.fault));
  }
}

function placeOf(chance: Chance): ChancePlace | undefined {
  return chance instanceof SeededChance ? chance.place : undefined;
}

function injectsFault({ matched, terms, chance }: Held, { paths, names, userId }: Asked): boolean {
  if (matched.userId !== undefined && matched.userId !== userId) return false;
  if (matched.paths !== undefined && !paths.some((path) => matched.paths?.has(path))) return false;
  if (matched.name !== undefined && !names.includes(matched.name)) return false;
  return isDrawn(terms, chance);
}

function isDrawn({ share }: FaultSpec, chance: Chance): boolean {
  return share === undefined || chance.bytes(SHARE_BYTES).readUInt32LE() / SHARE_ONE < share;
}

function ofUser(userId: number): string {
  return userId === 0 ? "" : ` of user ${userId}`;
}
