/**
 * What became of the latest requests, for who asks with the id that an answer carried. In memory only, and bounded: of all
 * requests and of those that were refused the latest are kept, so that a flood of polling does not push a refusal out.
 */
import type { Chance } from "../auth/chance.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answered, REQUEST_ID, RequestNames, type Witness } from "../http/witness.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import type { Refused } from "../refused.ts";
import type { SocketWitness } from "../ws/witness.ts";
import { REASON_HEADER, type Reason, reasonOf, reasonText } from "./reason.ts";

/** Kept of each kind; a few hundred bytes each. */
export const REQUESTS_KEPT = 4_096;
const PATH_CHARS_MAX = 200;

export interface RequestMemoryOptions {
  readonly rows: AllRefusalRows;
  /** Whether refusals tell their reason in a header. Not in production: it says more than a stranger needs. */
  readonly tells: boolean;
  /** The venue's clock, ms. */
  readonly now: () => number;
}

/** A request as it is remembered. */
export interface RememberedRequest {
  readonly id: string;
  /** When it was answered, by the venue's clock, ms. */
  readonly atMs: number;
  /** Empty where no request could be read; of one over a socket the method that it names. */
  readonly method: string;
  /** Without its query; of a socket where it stands. */
  readonly path: string;
  /** 0: nobody signed. */
  readonly userId: number;
  /** 0 over a socket. */
  readonly status: number;
  readonly code: number;
  /** 0 over a socket. */
  readonly ms: number;
  /** The command that it became and the order that this was about; 0 without one. */
  readonly seq: number;
  readonly orderId: number;
  /** Why it, or what of it, was refused. */
  readonly reasons: readonly Reason[];
}

interface Kept extends Omit<RememberedRequest, "reasons"> {
  readonly refused: readonly Refused[];
}

const NONE: readonly Refused[] = [];
/** What a request over a socket does not have. */
const UNMEASURED = { status: 0, ms: 0, seq: 0, orderId: 0 };

export class RequestMemory {
  readonly #options: RequestMemoryOptions;
  readonly #all = new Ring();
  readonly #refusals = new Ring();

  constructor(options: RequestMemoryOptions) {
    this.#options = options;
  }

  /** The witness of one listener, which names its requests by `chance`. */
  witness(chance: Chance): Witness {
    const names = new RequestNames(chance);
    return {
      answered: (answered) => {
        const id = names.next();
        const refused = refusedIn(answered);
        this.#remember(id, answered, refused);
        const line = `${REQUEST_ID}: ${id}\r\n`;
        return refused.length === 0 || !this.#options.tells ? line : line + this.#reasonLine(refused);
      },
    };
  }

  /** That of the sockets, which names what is refused there. */
  socketWitness(chance: Chance): SocketWitness {
    const names = new RequestNames(chance);
    return {
      hears: ({ refused, ...request }) => {
        const requestId = names.next();
        const kept = { ...request, id: requestId, atMs: this.#options.now(), refused: [refused], ...UNMEASURED };
        this.#refusals.push(kept);
        return { requestId, reason: reasonText(this.#options.rows, refused) };
      },
    };
  }

  find(id: string): RememberedRequest | undefined {
    const kept = this.#refusals.find(id) ?? this.#all.find(id);
    if (kept === undefined) return undefined;
    const { refused, ...request } = kept;
    return { ...request, reasons: refused.map((each) => this.reasonOf(each)) };
  }

  /** What there is to say of a refusal, wherever it was met. */
  reasonOf(refused: Refused): Reason {
    return reasonOf(this.#options.rows, refused);
  }

  #remember(id: string, { exchange, status, code, ms }: Answered, refused: readonly Refused[]): void {
    const kept: Kept = {
      id,
      atMs: this.#options.now(),
      method: exchange?.method ?? "",
      path: exchange === undefined ? "" : pathOf(exchange),
      userId: exchange?.userId ?? 0,
      status,
      code,
      ms,
      seq: exchange?.seq ?? 0,
      orderId: exchange?.orderId ?? 0,
      refused,
    };
    (refused.length === 0 ? this.#all : this.#refusals).push(kept);
  }

  #reasonLine(refused: readonly Refused[]): string {
    return `${REASON_HEADER}: ${refused.map((each) => reasonText(this.#options.rows, each)).join(", ")}\r\n`;
  }
}

class Ring {
  readonly #kept: Kept[] = [];
  #next = 0;

  push(kept: Kept): void {
    this.#kept[this.#next] = kept;
    this.#next = (this.#next + 1) % REQUESTS_KEPT;
  }

  find(id: string): Kept | undefined {
    return this.#kept.find((kept) => kept.id === id);
  }
}

function refusedIn({ exchange, refused }: Answered): readonly Refused[] {
  return refused === undefined ? (exchange?.refusedElements ?? NONE) : [refused];
}

/** A text that does not hold on to the whole target, which may be long. */
function pathOf({ route, path, place }: Exchange): string {
  if (route !== undefined && !place.route.includes("{")) return route;
  return Buffer.from(path.slice(0, PATH_CHARS_MAX)).toString("latin1");
}
