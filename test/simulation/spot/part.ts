/** What a product adds to the simulated venue of spot: each lies in a folder of its own and is named in parts.ts. */
import type { Command } from "../../../src/engine/command.ts";
import type { Refusal } from "../../../src/engine/refusal.ts";
import type { State } from "../../../src/engine/state.ts";
import type { PlantedFault } from "../world.ts";
import type { Differ } from "./compare-records.ts";
import type { Draw } from "./draw.ts";
import type { ModelOrder } from "./model/records.ts";
import type { ModelVenue } from "./model/venue.ts";
import type { Settings } from "./settings.ts";
import type { Step } from "./step.ts";

/** What a venue is made for; most are everyday ones. */
export const KINDS = { everyday: 10, fine: 4, extreme: 2, stops: 2, auctions: 5, crowd: 1, margin: 4 } as const;
export type Kind = keyof typeof KINDS;

/** Something that can happen. */
export interface Action {
  /**
   * Its share among the steps, one number of which each seed picks, by kind of venue. What says nothing of a kind has
   * its usual share there; auctions and crowds consist of nothing but what names them.
   */
  readonly often: Readonly<Partial<Record<Kind, readonly number[]>>> & { readonly usual: readonly number[] };
  readonly make: (draw: Draw) => Omit<Step, "waitMs">;
}

/** What the plain venue does at commands, by kind: a refusal, or it is done. */
type Handlers = {
  readonly [Name in Command["kind"]]?: (
    venue: ModelVenue,
    command: Extract<Command, { readonly kind: Name }>,
  ) => Refusal | undefined;
};

/** Something that is due; `isWaiting` = a command may have made it possible later than its time. */
export interface ModelDue {
  readonly at: number;
  readonly rank: number;
  readonly id: number;
  readonly isWaiting?: boolean;
  readonly run: () => void;
}

export interface SpotPart {
  readonly name: string;
  /** Commands that are there before the first step. */
  readonly setup?: (settings: Settings) => Command[];
  readonly actions: Readonly<Record<string, Action>>;
  /** What a venue that is about this part is like, beside that its actions come often. */
  readonly about?: Partial<Settings>;
  /** Commands of users, which a frozen account is refused, and those of operators and the clock. */
  readonly ofUsers?: Handlers;
  readonly ofVenue?: Handlers;
  /**
   * What comes at times of its own: before a command what is due by then happens in the order of times, then of ranks
   * (domain 11.3), then of ids.
   */
  readonly due?: (venue: ModelVenue) => ModelDue[];
  /** What is due by the time of a command before it is looked at, and what follows from it. */
  readonly before?: (venue: ModelVenue) => void;
  readonly after?: (venue: ModelVenue) => void;
  /** An order has been told of, as it stands. */
  readonly told?: (venue: ModelVenue, order: ModelOrder, isOver: boolean) => void;
  /** Looks for differences anywhere in what the part keeps. */
  readonly compare?: (state: State, venue: ModelVenue, differ: Differ) => void;
  readonly faults: readonly PlantedFault[];
}

/** What a part keeps in a model venue beside what all share: made at the first look, gone with the venue. */
export function keptBy<T>(make: () => T): (venue: ModelVenue) => T {
  const kept = new WeakMap<ModelVenue, T>();
  return (venue) => {
    const known = kept.get(venue);
    if (known !== undefined) return known;
    const made = make();
    kept.set(venue, made);
    return made;
  };
}
