/**
 * Does to the program's sockets what happens to sockets, and holds what it does then against the rules: first an update
 * of a book that does not agree with its checksum, then all connections cut, then a push that nobody knows. Each waits
 * until the one before was judged.
 */
import { Line } from "./line.ts";
import type { Fault, Findings } from "./rules.ts";
import type { Frame, SocketPair } from "./socket-pair.ts";

export interface SocketSpec {
  readonly faults: ReadonlySet<Fault>;
  /** How long the program may take to put right what was done to it. */
  readonly patienceMs: number;
  /** How long a connection may be silent. */
  readonly silenceMs: number;
  /** When the program looked last what its orders and its positions were; 0 for never. */
  readonly looks: { ordersMs: number; positionsMs: number };
  /** Something was pushed about its orders. */
  readonly onOrderPush: () => void;
}

/** A book that was made wrong. */
interface WrongBook {
  readonly line: Line;
  readonly market: string;
  readonly atMs: number;
  pushes: number;
}

/** Connections that were cut. */
interface Cut {
  readonly atMs: number;
  readonly followed: ReadonlyMap<string, ReadonlySet<string>>;
  againMs: number | undefined;
}

const CHANGES_MIN = 2;
/** So long a line is followed before it is cut, at least, and at most for the sake of a book that does not change. */
const CALM_MS = 1_000;
const BOOK_WAIT_MS = 4_000;
const NEWS_AFTER_MS = 300;
const PATIENCE_AT_END_MS = 1_500;
const ENDING_MS = 500;

export class SocketJudge {
  /** All that came, gone ones too. */
  readonly lines: Line[] = [];
  /** Pushes by socket and channel. */
  readonly pushes = new Map<string, number>();
  readonly #findings: Findings;
  readonly #terms: SocketSpec;
  #wrong: WrongBook | undefined;
  #isBookDone: boolean;
  #cut: Cut | undefined;
  #isCutDone: boolean;
  #isNewsDone: boolean;
  #lastOrderPush: { readonly line: Line; readonly frame: Frame } | undefined;

  constructor(findings: Findings, terms: SocketSpec) {
    this.#findings = findings;
    this.#terms = terms;
    this.#isBookDone = !terms.faults.has("bad_checksum");
    this.#isCutDone = !terms.faults.has("close_sockets");
    this.#isNewsDone = !terms.faults.has("unknown_value");
  }

  opened(pair: SocketPair): void {
    const line = new Line(pair);
    this.lines.push(line);
    pair.onAsked = (frame) => this.#asked(line, frame);
    pair.onTold = (frame) => this.#told(line, frame);
  }

  /** The program has asked for a book over HTTP. */
  readBook(market: string): void {
    if (this.#wrong?.market === market) this.#bookDone();
  }

  /** Called often. */
  tick(): void {
    const nowMs = performance.now();
    this.#lookForSilence(nowMs);
    this.#judgeBook(nowMs, this.#terms.patienceMs);
    this.#cutWhenCalm(nowMs);
    this.#judgeCut(nowMs, this.#terms.patienceMs);
    this.#tellNews(nowMs);
  }

  /** The program has ended: what it had some time to put right, and did not, it would not have. */
  finish(): void {
    const nowMs = performance.now();
    const patienceMs = Math.min(this.#terms.patienceMs, PATIENCE_AT_END_MS);
    this.#judgeBook(nowMs, patienceMs);
    this.#judgeCut(nowMs, patienceMs);
  }

  /** Whether the program hears what becomes of its orders. */
  get hearsOfOrders(): boolean {
    return this.#open.some((line) => line.follows("order"));
  }

  get #open(): Line[] {
    return this.lines.filter(({ pair }) => !pair.isGone);
  }

  #asked(line: Line, frame: Frame): void {
    line.asks(frame);
    const wrong = this.#wrong;
    const isOfBook = frame.method === "depth.subscribe" || frame.method === "depth.unsubscribe";
    if (wrong !== undefined && isOfBook && line.pair.product === wrong.line.pair.product) {
      if (JSON.stringify(frame.params).includes(wrong.market)) this.#bookDone();
    }
  }

  #told(line: Line, frame: Frame): Frame | undefined {
    line.answered(frame);
    if (frame.method === undefined) return frame;
    const channel = frame.method.replace(/\.update$/, "");
    const name = `${line.pair.product} ${channel}`;
    this.pushes.set(name, (this.pushes.get(name) ?? 0) + 1);
    if (channel === "order" || channel === "user_deals") this.#terms.onOrderPush();
    if (channel === "order") this.#lastOrderPush = { line, frame };
    return channel === "depth" ? this.#depth(line, frame) : frame;
  }

  #depth(line: Line, frame: Frame): Frame {
    const { market, is_full, depth } = frame.data ?? {};
    if (is_full || typeof market !== "string") return frame;
    const seen = (line.changes.get(market) ?? 0) + 1;
    line.changes.set(market, seen);
    const wrong = this.#wrong;
    if (wrong?.line === line && wrong.market === market) wrong.pushes++;
    if (this.#isBookDone || wrong !== undefined || seen <= CHANGES_MIN) return frame;
    const spoilt = withWrongAmount(depth);
    if (spoilt === undefined) return frame;
    this.#wrong = { line, market, atMs: performance.now(), pushes: 0 };
    this.#findings.met("bad_checksum");
    return { ...frame, data: { ...frame.data, depth: spoilt } };
  }

  #judgeBook(nowMs: number, patienceMs: number): void {
    const wrong = this.#wrong;
    if (wrong === undefined || this.#isBookDone) return;
    const { market, pushes, line, atMs } = wrong;
    // The program may have given the whole line up; or it ends, which is known a moment later.
    const { goneMs } = line.pair;
    if (goneMs === undefined || nowMs - goneMs < ENDING_MS) {
      if (nowMs - atMs < patienceMs || pushes < CHANGES_MIN) return;
      this.#findings.broke("stale-book", `${market}: ${pushes} more updates came, and it was not asked for again`);
    }
    this.#bookDone();
  }

  #bookDone(): void {
    this.#wrong = undefined;
    this.#isBookDone = true;
  }

  #cutWhenCalm(nowMs: number): void {
    if (this.#isCutDone || this.#cut !== undefined || this.#wrong !== undefined) return;
    const followed = this.#open.filter(({ firstFollowedMs }) => firstFollowedMs !== undefined);
    const sinceMs = nowMs - Math.min(...followed.map(({ firstFollowedMs = nowMs }) => firstFollowedMs));
    const waitsForBook = !this.#isBookDone && followed.some((line) => line.follows("depth"));
    if (followed.length === 0 || sinceMs < (waitsForBook ? BOOK_WAIT_MS : CALM_MS)) return;
    const all = new Map<string, Set<string>>();
    for (const { pair, followed: channels } of followed) {
      for (const [name, items] of channels) {
        const key = `${pair.product} ${name}`;
        all.set(key, new Set([...(all.get(key) ?? []), ...items]));
      }
    }
    this.#cut = { atMs: nowMs, followed: all, againMs: undefined };
    this.#findings.met("close_sockets");
    for (const { pair } of this.#open) pair.cut();
  }

  #judgeCut(nowMs: number, patienceMs: number): void {
    const cut = this.#cut;
    if (cut === undefined || this.#isCutDone) return;
    const again = this.lines.filter(({ pair }) => pair.openedMs > cut.atMs);
    if (again.length > 0) cut.againMs ??= nowMs;
    if (nowMs - (cut.againMs ?? cut.atMs) < patienceMs) return;
    this.#isCutDone = true;
    if (cut.againMs === undefined) {
      this.#findings.broke("not-reconnected", `nothing came in the ${((nowMs - cut.atMs) / 1_000).toFixed(1)} s since`);
      return;
    }
    const missing = missingIn(cut.followed, again);
    if (missing.length > 0) this.#findings.broke("not-resubscribed", `not followed any more: ${missing.join(", ")}`);
    const { ordersMs, positionsMs } = this.#terms.looks;
    const followed = (channel: string) => [...cut.followed.keys()].some((name) => name.endsWith(` ${channel}`));
    if (followed("order") && ordersMs < cut.atMs)
      this.#findings.broke("gap-not-read", "orders were followed, and not read since");
    if (followed("position") && positionsMs < cut.atMs) {
      this.#findings.broke("gap-not-read", "positions were followed, and not read since");
    }
  }

  /** A new version of the venue says things that this program has never heard of. */
  #tellNews(nowMs: number): void {
    if (this.#isNewsDone || !this.#isCutDone) return;
    const lines = this.#open.filter(({ firstFollowedMs = nowMs }) => nowMs - firstFollowedMs > NEWS_AFTER_MS);
    if (lines.length === 0) return;
    this.#isNewsDone = true;
    this.#findings.met("unknown_value");
    for (const { pair } of lines) pair.tell({ method: "novelty.update", data: { of: "a later version" }, id: null });
    const { line, frame } = this.#lastOrderPush ?? {};
    if (line !== undefined && !line.pair.isGone)
      line.pair.tell({ ...frame, data: { ...frame?.data, event: "renewed" } });
  }

  #lookForSilence(nowMs: number): void {
    for (const line of this.#open) {
      const silentMs = nowMs - line.pair.heardMs;
      if (silentMs < this.#terms.silenceMs || line.wasSilent) continue;
      line.wasSilent = true;
      this.#findings.broke(
        "no-ping",
        `${line.pair.path} was silent for ${Math.round(silentMs / 1_000)} s and was closed`,
      );
      line.pair.cut();
    }
  }
}

type Row = readonly [string, string];
interface Depth {
  readonly bids?: readonly Row[];
  readonly asks?: readonly Row[];
}

/** The change with another amount in its first level that has one; undefined where all of them go. */
function withWrongAmount(depth: Depth): Depth | undefined {
  for (const side of ["bids", "asks"] as const) {
    const rows = depth[side] ?? [];
    const at = rows.findIndex(([, amount]) => Number(amount) > 0);
    const row = rows[at];
    if (row !== undefined) return { ...depth, [side]: rows.with(at, [row[0], `1${row[1]}`]) };
  }
  return undefined;
}

function missingIn(before: ReadonlyMap<string, ReadonlySet<string>>, lines: readonly Line[]): string[] {
  return [...before].flatMap(([name, items]) => {
    const [product, channel = ""] = name.split(" ");
    const now = lines
      .filter(({ pair }) => pair.product === product)
      .flatMap(({ followed }) => [...(followed.get(channel) ?? [])]);
    if (now.includes("*")) return [];
    return [...items].filter((item) => !now.includes(item)).map((item) => `${name} ${item === "*" ? "(all)" : item}`);
  });
}
