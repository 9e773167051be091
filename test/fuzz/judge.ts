/** What may be answered, whatever was asked: known statuses, whole envelopes, known codes, and records as promised. */
import { readFileSync } from "node:fs";
import type { Contract } from "../../src/gateway/current/contract.ts";
import { refusalBreaches } from "../conformance/shape.ts";
import type { Conversation, RawAnswer } from "./raw-client.ts";
import type { Verdict } from "./source.ts";

/** An answer beyond it would mean that somebody can make the venue print without bound. */
const BODY_CHARS_MAX = 8_000_000;

/** The host that was asked for is not the venue: its keys are known to everybody, so it minds. */
export const MISDIRECTED = 421;

/** What a generation, or the operator's interface, may answer. */
export interface Answers {
  readonly statuses: readonly number[];
  readonly codes: readonly number[];
  /** The code that says that the venue failed. */
  readonly failure: number;
}

/** Of the statuses of errors.json all but 503: nobody stops this venue and little waits. */
export function currentAnswers({ errorCodes }: Contract): Answers {
  return {
    statuses: [200, 400, 404, 408, 413, MISDIRECTED, 429, 431],
    codes: errorCodes.map(({ code }) => code),
    failure: 4003,
  };
}

/** A refusal in the file of the legacy generation, which may be sent as another one. */
interface LegacyCode {
  readonly code: number;
  readonly send_instead: number | null;
}

export function legacyAnswers(): Answers {
  const file = new URL("../../contract/legacy/errors.json", import.meta.url);
  const { envelope, futures } = JSON.parse(readFileSync(file, "utf8")) as Record<string, readonly LegacyCode[]>;
  const sent = [...(envelope ?? []), ...(futures ?? []).filter(({ send_instead }) => send_instead === null)];
  // What the spot paths say in the current generation's numbers. Source: the notes of errors.json.
  // Beyond the bounds of HTTP nobody looks into a request, and its status says so.
  return {
    statuses: [200, 404, 408, 413, MISDIRECTED, 431],
    codes: [...sent.map(({ code }) => code), 4117, 3157],
    failure: 3,
  };
}

export class HttpJudge {
  readonly #codes: ReadonlySet<number>;
  readonly #failures: ReadonlySet<number>;
  readonly #statuses: ReadonlySet<number>;

  /** Of several, whatever one of them may answer. */
  constructor(...answers: readonly Answers[]) {
    this.#statuses = new Set(answers.flatMap(({ statuses }) => statuses));
    this.#codes = new Set(answers.flatMap(({ codes }) => codes));
    this.#failures = new Set(answers.map(({ failure }) => failure));
  }

  /**
   * Of a conversation about one endpoint, whose successes `breachesOf` judges, or about nobody knows what. `bodyless`:
   * HEAD was asked.
   */
  judge(conversation: Conversation, breachesOf?: (envelope: unknown) => string[], bodyless = false): Verdict {
    const { hung, rest } = conversation;
    const answers = conversation.answers.filter(({ status }) => status !== 100);
    const breaches: string[] = [];
    const codes: number[] = [];
    if (hung) breaches.push("The venue neither answered nor closed in time.");
    if (rest !== "") breaches.push(`What came is no whole answer: ${rest.slice(0, 200)}`);
    if (breachesOf !== undefined && !hung && answers.length !== 1)
      breaches.push(`${answers.length} answers came, not one.`);
    let refused = true;
    for (const answer of answers) {
      if (!this.#statuses.has(answer.status) && answer.status !== 304) breaches.push(`The status is ${answer.status}.`);
      if (bodyless) continue;
      const envelope = this.#envelopeOf(answer, breaches);
      if (envelope === undefined) continue;
      codes.push(envelope.code);
      if (breachesOf !== undefined && envelope.code === 0) breaches.push(...breachesOf(envelope));
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
    if (this.#failures.has(envelope.code)) breaches.push(`The venue failed: ${envelope.message}`);
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
