/** The venue's HTTP API, as a page signed in by session speaks it. */

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A refusal of the venue, or a venue that could not be asked. */
export class Refusal extends Error {
  /** The envelope's code; 0 where there was none. */
  readonly code: number;
  /** The rule that refused, where the venue says so. */
  readonly rule: string | undefined;
  /** The refusal's name below `/web`, docs/reference/web-sessions.md. */
  readonly reason: string | undefined;

  constructor(code: number, message: string, rule?: string, reason?: string) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.rule = rule;
    this.reason = reason;
  }
}

/** A page of a longer list. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasNext: boolean;
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly pagination?: { readonly has_next: boolean };
}

let csrf: string | undefined;

/** Sent with every request from now on: what proves that this page, and not another site, asks. */
export function useCsrf(token: string | null): void {
  csrf = token ?? undefined;
}

export function currentCsrf(): string | undefined {
  return csrf;
}

export async function get<T>(path: string, query: Query = {}): Promise<T> {
  return (await ask("GET", pathWith(path, query))).data as T;
}

export async function getPage<T>(path: string, query: Query = {}): Promise<Page<T>> {
  const { data, pagination } = await ask("GET", pathWith(path, query));
  return { rows: data as T[], hasNext: pagination?.has_next ?? false };
}

export async function post<T>(path: string, body: object = {}): Promise<T> {
  return (await ask("POST", path, body)).data as T;
}

export async function patch<T>(path: string, body: object): Promise<T> {
  return (await ask("PATCH", path, body)).data as T;
}

export async function remove<T>(path: string, body?: object): Promise<T> {
  return (await ask("DELETE", path, body)).data as T;
}

/** Returns a sentence about what went wrong, whatever it was. */
export function sentenceOf(error: unknown): string {
  const sentence = error instanceof Error ? error.message : String(error);
  return error instanceof Refusal && sentence.startsWith(INTRODUCTION) ? inWords(sentence) : sentence;
}

/** How a refusal begins that is about a field of the request. */
const INTRODUCTION = "Invalid Parameter: ";
const FIELD = /^(in (?:item \d+|it), |)([a-z][a-z0-9_]*)(?= (?:must|is|are|may|has|needs|cannot|does)\b)/;

/** Further fields and values of such a sentence; what somebody typed stands in quotation marks. */
const FURTHER = /(?<!["\w])[a-z]+(?:_[a-z0-9]+)+(?!["\w])/g;

/** A sentence about a field in words: "trigger_price must be above 0." → "Trigger price must be above 0." */
export function inWords(sentence: string, wordsOf = (field: string) => field.replaceAll("_", " ")): string {
  const bare = sentence.startsWith(INTRODUCTION) ? sentence.slice(INTRODUCTION.length) : sentence;
  const [lead, item = "", field] = FIELD.exec(bare) ?? [""];
  if (field === undefined) return withCapital(bare);
  const rest = bare.slice(lead.length).replace(FURTHER, (name) => wordsOf(name).replace(/^[A-Z](?=[a-z])/, lowered));
  return withCapital(`${item}${wordsOf(field)}${rest}`);
}

const lowered = (letter: string) => letter.toLowerCase();
const withCapital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const TIMEOUT_MS = 15_000;
let actionTimeoutMs = TIMEOUT_MS;

/**
 * How long the answer to an action may take from now on: what operators ask for can keep a venue at work for minutes.
 */
export function waitForActions(ms: number): void {
  actionTimeoutMs = ms;
}

const NOT_REACHED = "The venue cannot be reached.";
const ACTION_NOT_REACHED = `${NOT_REACHED} Your request may have been carried out; the lists show it once it is back.`;

async function ask(method: string, path: string, body?: object): Promise<Envelope> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (csrf !== undefined) headers["x-bourse-csrf"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(path, {
    method,
    headers,
    credentials: "same-origin",
    signal: AbortSignal.timeout(method === "GET" ? TIMEOUT_MS : actionTimeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Refusal(0, method === "GET" ? NOT_REACHED : ACTION_NOT_REACHED, sentenceOf(error));
  });
  const envelope = await answer.json().then(
    (read: unknown) => read as Envelope,
    () => undefined,
  );
  if (envelope === undefined) throw new Refusal(0, `The venue answered with status ${answer.status} and no sentence.`);
  if (envelope.code !== 0) {
    const { reason } = (envelope.data ?? {}) as { reason?: string };
    throw new Refusal(envelope.code, envelope.message, answer.headers.get("x-bourse-reason") ?? undefined, reason);
  }
  return envelope;
}

function pathWith(path: string, query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? path : `${path}?${text}`;
}
