/**
 * The relay's listener between the program and the venue: sees every call and push, does the faults, and holds the
 * program to the rules.
 */
import { type Call, CallReader, looksAtOrders, looksAtPositions, signedPart } from "./call.ts";
import { CallFaults } from "./call-faults.ts";
import { CallJudge } from "./call-judge.ts";
import { type Answered, type Passing, type RelayListener, refusal, type Verdict } from "./relay.ts";
import { FAULTS, type Fault, Findings } from "./rules.ts";
import { SocketJudge } from "./socket-judge.ts";
import type { SocketPair } from "./socket-pair.ts";

export interface KitOptions {
  readonly faults: ReadonlySet<Fault>;
  readonly patienceMs: number;
  readonly silenceMs: number;
  readonly secretKey: string;
  /** Moves the venue's clock ahead; gives what it is ahead of the machine by then. */
  readonly jumpClock: () => Promise<number>;
}

const TICK_MS = 50;
/** A signed time may be off by so much. */
const TIME_WINDOW_MS = 5_000;

export class Kit implements RelayListener {
  readonly findings = new Findings();
  readonly calls: Call[] = [];
  readonly sockets: SocketJudge;
  readonly #reader = new CallReader();
  readonly #judge: CallJudge;
  readonly #callFaults: CallFaults;
  readonly #terms: KitOptions;
  readonly #byId = new Map<number, Call>();
  readonly #looks = { ordersMs: 0, positionsMs: 0 };
  readonly #ticking: ReturnType<typeof setInterval>;
  /** ms by which the venue's clock is ahead, once only its time is taken; undefined before. */
  #aheadMs: number | undefined;

  constructor(terms: KitOptions) {
    this.#terms = terms;
    const { faults, patienceMs, silenceMs } = terms;
    this.#judge = new CallJudge(this.findings, this.#reader, terms.secretKey, () => this.sockets.hearsOfOrders);
    this.#callFaults = new CallFaults(faults, this.findings, this.#reader, { jumpClock: () => void this.#jump() });
    const onOrderPush = () => this.#judge.heardOfOrders();
    this.sockets = new SocketJudge(this.findings, { faults, patienceMs, silenceMs, looks: this.#looks, onOrderPush });
    this.#ticking = setInterval(() => this.sockets.tick(), TICK_MS);
  }

  /** Faults that the program did not meet. */
  get notMet(): Fault[] {
    return (Object.keys(FAULTS) as Fault[]).filter(
      (fault) => this.#terms.faults.has(fault) && this.findings.timesMet(fault) === 0,
    );
  }

  onRequest(passing: Passing): Verdict {
    const call = this.#reader.read(passing);
    this.calls.push(call);
    this.#byId.set(passing.id, call);
    this.#judge.came(call);
    this.#noteLook(call);
    const verdict = this.#timeVerdict(call) ?? this.#callFaults.verdictFor(call);
    if (verdict === "cut_before") this.#ended(call);
    return verdict;
  }

  onAnswer(passing: Passing, answer: Answered): Answered {
    const call = this.#byId.get(passing.id);
    this.#byId.delete(passing.id);
    if (call === undefined) return answer;
    const envelope = envelopeIn(answer.body);
    if (typeof envelope?.code === "number") call.code = envelope.code;
    if (typeof envelope?.message === "string") call.message = envelope.message;
    this.#ended(call);
    return call.fault === "unknown_value" ? withUnknownStatus(answer, envelope) : answer;
  }

  onSocket(pair: SocketPair): void {
    this.sockets.opened(pair);
  }

  /** The program has ended, by itself with an exit code, or because it was told to. */
  finish(end: {
    readonly byItself: boolean;
    readonly code: number | null;
    readonly signal: string | null;
    readonly said: string;
  }): void {
    clearInterval(this.#ticking);
    this.#judge.finish();
    this.sockets.finish();
    if (!end.byItself || end.code === 0) return;
    const { last } = this.findings;
    const isFresh = last !== undefined && performance.now() - last.atMs < DEATH_MS;
    // To give up where the key is refused is right.
    if (isFresh && last.fault === "bad_signature") return;
    const how = end.code === null ? `by ${end.signal}` : `with code ${end.code}`;
    const after = isFresh ? `, right after: ${FAULTS[last.fault]}` : "";
    this.findings.broke(
      isFresh && last.fault === "unknown_value" ? "unknown-value" : "program-died",
      `it ended ${how}${after}${end.said}`,
    );
  }

  #noteLook(call: Call): void {
    if (looksAtOrders(call)) this.#looks.ordersMs = performance.now();
    if (looksAtPositions(call)) this.#looks.positionsMs = performance.now();
    if (/ \/(spot|futures)\/depth$/.test(call.endpoint ?? "")) this.sockets.readBook(String(call.params["market"]));
  }

  #ended(call: Call): void {
    call.endedMs = performance.now();
    this.#judge.ended(call);
  }

  async #jump(): Promise<void> {
    this.#aheadMs = await this.#terms.jumpClock();
  }

  /** After the jump only the venue's own time is taken, not the machine's, as elsewhere. */
  #timeVerdict({ isSigned, passing }: Call): Verdict | undefined {
    if (this.#aheadMs === undefined || !isSigned) return undefined;
    const venueMs = Date.now() + this.#aheadMs;
    const offMs = Math.abs(Number(signedPart(passing, "timestamp")) - venueMs);
    if (offMs <= TIME_WINDOW_MS) return undefined;
    return refusal(
      4017,
      `The timestamp is off by ${Math.round(offMs)} ms: the time of the venue is ${Math.round(venueMs)}.`,
    );
  }
}

/** How long after a fault a death is put down to it. */
const DEATH_MS = 3_000;

interface Envelope {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

function envelopeIn(body: string): Envelope | undefined {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === "object" && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

/** A list of markets whose last one has a status of a later version; the only market of a list keeps its own. */
function withUnknownStatus(answer: Answered, envelope: Envelope | undefined): Answered {
  if (!Array.isArray(envelope?.data) || envelope.data.length < 2) return answer;
  const data = envelope.data.with(-1, { ...envelope.data.at(-1), status: "resting" });
  return { ...answer, body: JSON.stringify({ ...envelope, data }) };
}
