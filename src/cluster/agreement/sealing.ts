import type { Sealed } from "../message.ts";
import { VenuesDiffer } from "./faults.ts";
import { type Patience, RESEND_MS } from "./pace.ts";
import { type AgreementOptions, type AgreementPorts, hexOf, quorumOf, SLOTS } from "./ports.ts";

/** A quorum waits so long for the rest, whose log may be longer. */
const GATHER_MS = 150;

type Ports = Pick<AgreementPorts, "now" | "send" | "seed">;
type Options = Pick<AgreementOptions, "node" | "nodes" | "boot" | "genesisOf">;

/** The change to another generation, after this node has promised to store nothing of those before: what the others answer, and the seed that comes of it. */
export class Sealing {
  readonly generation: number;
  readonly #options: Options;
  readonly #ports: Ports;
  readonly #answers = new Map<string, Sealed>();
  /** When a quorum had answered. */
  #quorumAt: number | undefined;
  #seededAt: number | undefined;
  #saidAt: number;

  constructor(generation: number, options: Options, ports: Ports) {
    this.generation = generation;
    this.#options = options;
    this.#ports = ports;
    this.#saidAt = ports.now();
    this.#say();
  }

  #say(): void {
    const { node, nodes } = this.#options;
    this.#ports.send({ kind: "seal", from: node, nodes, generation: this.generation });
  }

  /** Time passes; whether all are asked once more. */
  asksAgain(now: number): boolean {
    if (now - this.#saidAt < RESEND_MS) return false;
    this.#saidAt = now;
    this.#say();
    return true;
  }

  /** Whether a quorum has promised, and the stream does not take the seed. */
  isStuck(now: number, patience: Patience): boolean {
    return this.#quorumAt !== undefined && patience.isSeedLate(this.#quorumAt, now);
  }

  answered(answer: Sealed): void {
    this.#answers.set(answer.from, answer);
  }

  /**
   * Where a quorum has promised, the longest of their logs holds everything that anybody was told of: whoever has it begins the generation.
   * A node without a log counts for nothing, since it may have lost one, unless all are here and the answer is plain. Gives what must not be.
   */
  settle(): VenuesDiffer | undefined {
    const answers = [...this.#answers.values()];
    const areAll = answers.length === this.#options.nodes.length;
    const withLog = answers.filter(({ venueId }) => venueId !== undefined);
    const counted = areAll && withLog.length === 0 ? answers : withLog;
    if (!areAll && counted.length < quorumOf(this.#options)) return undefined;
    const now = this.#ports.now();
    this.#quorumAt ??= now;
    if (!areAll && now - this.#quorumAt < GATHER_MS) return undefined;
    const best = counted.reduce((one, other) => (isLonger(other, one) ? other : one));
    const other = withLog.find(({ venueId }) => venueId !== best.venueId);
    if (other !== undefined) {
      const found = `Node ${other.from} has the log of venue ${other.venueId}, node ${best.from} that of ${best.venueId}`;
      return new VenuesDiffer(found);
    }
    if (best.from !== this.#options.node) return undefined;
    if (this.#seededAt !== undefined && now - this.#seededAt < RESEND_MS) return undefined;
    this.#seededAt = now;
    this.#seed(best, 1 + Math.max(...answers.map(({ term }) => term)));
    return undefined;
  }

  #seed({ venueId: known, hash: end, seq, timeMs }: Sealed, term: number): void {
    const { node, boot, genesisOf } = this.#options;
    const { generation } = this;
    // A venue that begins here is called by what its first process was.
    const venueId = known ?? boot;
    const hash = known === undefined ? hexOf(genesisOf(venueId)) : end;
    const entry = { kind: "seed", generation, term, node, boot, venueId, seq, hash, timeMs } as const;
    this.#ports.seed(generation % SLOTS, entry);
  }
}

/** Of a later generation, or longer within one; of equal ones that of the first name. */
function isLonger(one: Sealed, other: Sealed): boolean {
  if (one.adopted !== other.adopted) return one.adopted > other.adopted;
  if (one.seq !== other.seq) return one.seq > other.seq;
  return one.from < other.from;
}
