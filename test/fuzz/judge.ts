/** What may be answered, whatever was asked: known statuses, whole envelopes, known codes, and records as promised. */
import type { Contract, Endpoint } from "../../src/gateway/current/contract.ts";
import { refusalBreaches, shapeBreaches } from "../conformance/shape.ts";
import type { Conversation, RawAnswer } from "./raw-client.ts";
import type { Verdict } from "./source.ts";

/** An answer beyond it would mean that somebody can make the venue print without bound. */
const BODY_CHARS_MAX = 8_000_000;
const INTERNAL_ERROR = 4003;
/** The statuses of errors.json without 503: nobody stops this venue and little waits. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 404, 408, 413, 429, 431]);

export class HttpJudge {
  readonly #contract: Contract;
  readonly #codes: ReadonlySet<number>;
  readonly #statuses: ReadonlySet<number>;

  /** `more`: statuses that are known there beside those of the API. */
  constructor(contract: Contract, more: readonly number[] = []) {
    this.#contract = contract;
    this.#statuses = new Set([...STATUSES, ...more]);
    this.#codes = new Set(contract.errorCodes.map(({ code }) => code));
  }

  /** Of a conversation about one endpoint, or about nobody knows what. `bodyless`: HEAD was asked. */
  judge(conversation: Conversation, endpoint?: Endpoint, bodyless = false): Verdict {
    const { hung, rest } = conversation;
    const answers = conversation.answers.filter(({ status }) => status !== 100);
    const breaches: string[] = [];
    const codes: number[] = [];
    if (hung) breaches.push("The venue neither answered nor closed in time.");
    if (rest !== "") breaches.push(`What came is no whole answer: ${rest.slice(0, 200)}`);
    if (endpoint !== undefined && !hung && answers.length !== 1)
      breaches.push(`${answers.length} answers came, not one.`);
    let refused = true;
    for (const answer of answers) {
      if (!this.#statuses.has(answer.status) && answer.status !== 304) breaches.push(`The status is ${answer.status}.`);
      if (bodyless) continue;
      const envelope = this.#envelopeOf(answer, breaches);
      if (envelope === undefined) continue;
      codes.push(envelope.code);
      if (endpoint !== undefined && envelope.code === 0)
        breaches.push(...shapeBreaches(this.#contract, endpoint, envelope));
      if (grants(envelope)) refused = false;
    }
    return { breaches, refused, codes };
  }

  /** The envelope of an answer; undefined when it is a page, or none. */
  #envelopeOf({ status, headers, body }: RawAnswer, breaches: string[]): Envelope | undefined {
    if (body.length > BODY_CHARS_MAX) breaches.push(`The answer has ${body.length} characters.`);
    if (!headers.get("content-type")?.startsWith("application/json")) {
      if (status !== 200 && status !== 304) breaches.push(`A refusal with status ${status} has no envelope.`);
      return undefined;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      breaches.push(`The answer is no JSON: ${body.slice(0, 200)}`);
      return undefined;
    }
    const envelope = parsed as Envelope;
    // The document of the API is JSON too, and no envelope.
    if (typeof envelope.code !== "number") {
      if (!("openapi" in (parsed as object))) breaches.push(`The answer is no envelope: ${body.slice(0, 200)}`);
      return undefined;
    }
    if (!this.#codes.has(envelope.code)) breaches.push(`The code ${envelope.code} is none of the contract.`);
    if (envelope.code === INTERNAL_ERROR) breaches.push(`The venue failed: ${envelope.message}`);
    if (envelope.code === 0 && status !== 200) breaches.push(`A success has status ${status}.`);
    if (envelope.code !== 0) breaches.push(...refusalBreaches(envelope, envelope.code));
    return envelope;
  }
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** A batch grants something when one of its elements does. */
function grants({ code, data }: Envelope): boolean {
  if (code !== 0) return false;
  if (!Array.isArray(data) || data.length === 0) return true;
  return data.some((element: { code?: unknown }) => element?.code === undefined || element.code === 0);
}
