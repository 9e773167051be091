/**
 * Remembers the outcome of the latest requests, for callers who ask with the id that an answer carried. In memory only,
 * and bounded: of all requests and of those that were refused the latest are kept, so that a flood of polling does not
 * push a refusal out.
 */
import type { Chance } from "../auth/chance.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type Answered, REQUEST_ID, RequestNames, type RequestObserver } from "../http/request-observer.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import type { Refused } from "../refused.ts";
import type { SocketObserver } from "../ws/socket-observer.ts";
import { REASON_HEADER, type Reason, reasonOf, reasonText } from "./reason.ts";
import { type KeptRequest, type RequestName, RequestRing } from "./request-ring.ts";

const PATH_CHARS_MAX = 200;

export interface RequestMemoryOptions {
  readonly rows: AllRefusalRows;
  /** Whether refusals tell their reason in a header. Not in production: it says more than a stranger needs. */
  readonly tells: boolean;
  /** The venue's clock, ms. */
  readonly now: () => number;
}

/** A request as it is remembered. */
export interface RememberedRequest extends Omit<KeptRequest, "refused"> {
  readonly id: string;
  /** Why it, or what of it, was refused. */
  readonly reasons: readonly Reason[];
}

const NONE: readonly Refused[] = [];
/** The fields that a request over a socket does not have. */
const UNMEASURED = { status: 0, ms: 0, seq: 0, orderId: 0 };

export class RequestMemory {
  readonly #options: RequestMemoryOptions;
  readonly #all = new RequestRing();
  readonly #refusals = new RequestRing();

  constructor(options: RequestMemoryOptions) {
    this.#options = options;
  }

  /** The observer of one listener, which names its requests by `chance`. */
  observer(chance: Chance): RequestObserver {
    const names = new RequestNames(chance);
    return {
      answered: (answered) => {
        const id = names.next();
        const refused = refusedIn(answered);
        this.#remember(names, answered, refused);
        const line = `${REQUEST_ID}: ${id}\r\n`;
        return refused.length === 0 || !this.#options.tells ? line : line + this.#reasonLine(refused);
      },
    };
  }

  /** That of the sockets, which names what is refused there. */
  socketObserver(chance: Chance): SocketObserver {
    const names = new RequestNames(chance);
    return {
      hears: ({ refused, ...request }) => {
        const requestId = names.next();
        this.#refusals.push(names, { ...request, atMs: this.#options.now(), refused: [refused], ...UNMEASURED });
        return { requestId, reason: reasonText(this.#options.rows, refused) };
      },
    };
  }

  find(id: string): RememberedRequest | undefined {
    const kept = this.#refusals.find(id) ?? this.#all.find(id);
    if (kept === undefined) return undefined;
    const { refused, ...request } = kept;
    return { id, ...request, reasons: refused.map((each) => this.reasonOf(each)) };
  }

  /** Requests that were refused, or of which something was, since the start. */
  get refusals(): number {
    return this.#refusals.pushed;
  }

  /** Those of them that are remembered and came after the first `after` of them, the newest first. */
  *refusalsAfter(after: number): Generator<RememberedRequest & { readonly number: number }> {
    for (const { name, refused, ...request } of this.#refusals.newestFirst()) {
      if (request.number <= after) return;
      yield { id: name, ...request, reasons: refused.map((each) => this.reasonOf(each)) };
    }
  }

  /** Returns everything that is known of a refusal, wherever it was met. */
  reasonOf(refused: Refused): Reason {
    return reasonOf(this.#options.rows, refused);
  }

  #remember(name: RequestName, { context, status, code, ms }: Answered, refused: readonly Refused[]): void {
    (refused.length === 0 ? this.#all : this.#refusals).push(name, {
      // Of one whose head was refused nobody has asked.
      atMs: context?.nowMs || this.#options.now(),
      method: context?.method ?? "",
      path: context === undefined ? "" : pathOf(context),
      userId: context?.userId ?? 0,
      status,
      code,
      ms,
      seq: context?.seq ?? 0,
      orderId: context?.orderId ?? 0,
      refused,
    });
  }

  #reasonLine(refused: readonly Refused[]): string {
    return `${REASON_HEADER}: ${refused.map((each) => reasonText(this.#options.rows, each)).join(", ")}\r\n`;
  }
}

function refusedIn({ context, refused }: Answered): readonly Refused[] {
  return refused === undefined ? (context?.refusedElements ?? NONE) : [refused];
}

/** A text that does not hold on to the whole target, which may be long. */
function pathOf({ pattern, path, route }: RequestContext): string {
  if (pattern !== undefined && !route.pattern.includes("{")) return pattern;
  return Buffer.from(path.slice(0, PATH_CHARS_MAX)).toString("latin1");
}
