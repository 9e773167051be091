/** One checked call of an endpoint: what a handler is given and how it answers. */
import type { ApiKey } from "../auth/key-directory.ts";
import { batchText, type Pagination, pageText, successText } from "../envelope/envelope.ts";
import type { EnvelopeRenderer } from "../envelope/renderer.ts";
import type { Trace } from "../reading/answering.ts";
import type { BatchElement } from "../reading/execute.ts";
import type { JsonText } from "../reading/json-text.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import type { LiveAnswers } from "./compat/live-answers.ts";
import type { LiveRefusals } from "./compat/live-refusals.ts";
import type { Endpoint, ResultKind } from "./contract.ts";
import type { Asking } from "./endpoint-call.ts";
import type {
  EndpointKind,
  EndpointName,
  EndpointParams,
  EndpointRecord,
  SignedEndpointName,
} from "./types.generated.ts";

/** The arguments of `answer`, by the kind of the endpoint's result. */
export interface AnswerOfKind<Row> {
  readonly object: [record: Row | JsonText];
  readonly array: [rows: readonly Row[] | JsonText];
  readonly page: [rows: readonly Row[] | JsonText, pagination: Pagination];
  readonly batch: [elements: readonly BatchElement<Row>[]];
  readonly empty: [];
}

export type Answer<Name extends EndpointName> = AnswerOfKind<EndpointRecord[Name]>[EndpointKind[Name]];

export type Caller<Name extends EndpointName> = Name extends SignedEndpointName ? ApiKey : undefined;

/**
 * Answers a call, at once or later; by a promise only where it waits for something. What it throws, or its promise,
 * becomes code 4003.
 */
export type Handler<Name extends EndpointName> = (call: Call<Name>) => void | Promise<void>;

export class Call<Name extends EndpointName = EndpointName> {
  readonly params: EndpointParams[Name];
  /** The API key that signed; undefined on endpoints that take no signature. */
  readonly caller: Caller<Name>;
  /** The venue's time when the request was complete. */
  readonly nowMs: number;
  readonly #printer: AnswerPrinter;
  readonly #asking: Asking;

  constructor(printer: AnswerPrinter, asking: Asking, caller: Caller<Name>, params: EndpointParams[Name]) {
    this.params = params;
    this.caller = caller;
    this.nowMs = asking.nowMs;
    this.#printer = printer;
    this.#asking = asking;
  }

  get trace(): Trace {
    return this.#asking;
  }

  get remoteAddress(): string {
    return this.#asking.remoteAddress;
  }

  /** Answers with what the endpoint's contract promises. Records may come as ready JSON text. */
  answer(...answer: Answer<Name>): void {
    const envelope = this.#printer.print(answer);
    if (this.#printer.isRead) this.#asking.answerUncached(envelope);
    else this.#asking.answer(envelope);
  }

  /** Answers that the call was refused. */
  refuse(refusal: WireRefusal | Refused): void {
    const refused = refusal instanceof Refused ? refusal : new Refused(refusal);
    this.#asking.refuse(this.#printer.live?.refusals.instead(refused) ?? refused);
  }

  /** Code and message of a part of the call that was refused alone. */
  wordsOf(refused: Refused): { readonly code: number; readonly message: string } {
    this.#asking.noteRefusedElement(refused);
    return this.#printer.wordsOf(refused);
  }

  /** Answers 4003 for what was thrown where the frame cannot see it: in a callback. */
  fail(error: unknown): void {
    this.#asking.fail(error);
  }
}

/** How an endpoint is known to existing clients (compat). */
export interface Live {
  readonly answers: LiveAnswers;
  readonly refusals: LiveRefusals;
}

/** Writes the envelopes of one endpoint. */
export class AnswerPrinter {
  /** A read, which no cache may keep. */
  readonly isRead: boolean;
  readonly #kind: ResultKind;
  readonly #isFlat: boolean;
  readonly #renderer: EnvelopeRenderer;
  readonly live: Live | undefined;

  /** Without `live` answers are as the contract documents them. */
  constructor({ method, result }: Pick<Endpoint, "method" | "result">, renderer: EnvelopeRenderer, live?: Live) {
    this.isRead = method === "GET";
    this.#kind = result.kind;
    this.#isFlat = live !== undefined && result.flat_under_compat === true;
    this.#renderer = renderer;
    this.live = live;
  }

  wordsOf(refused: Refused): { readonly code: number; readonly message: string } {
    return this.#renderer.wordsOf(refused);
  }

  /** `answer` is what `AnswerOfKind` lists. */
  print(answer: readonly unknown[]): string {
    if (this.live === undefined) return this.#print(answer);
    const [rows, ...more] = answer;
    const { answers } = this.live;
    return answers.text(this.#print(Array.isArray(rows) ? [answers.rows(rows), ...more] : answer));
  }

  #print(answer: readonly unknown[]): string {
    switch (this.#kind) {
      case "empty":
        return EMPTY;
      case "page":
        return pageText(answer[0] as JsonText, answer[1] as Pagination);
      case "batch":
        return batchText(answer[0] as BatchElement<object>[], this.#renderer, this.#isFlat);
      default:
        return successText(answer[0] as JsonText);
    }
  }
}

const EMPTY = successText({});
