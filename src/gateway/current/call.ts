/** One checked call of an endpoint: what a handler is given and how it answers. */
import type { ApiKey } from "../auth/key-directory.ts";
import type { Exchange } from "../http/exchange.ts";
import { Refused, type WireRefusal } from "../refusals.ts";
import type { Endpoint } from "./contract.ts";
import { type BatchElement, batchText, type JsonText, type Pagination, pageText, successText } from "./envelope.ts";
import type {
  EndpointKind,
  EndpointName,
  EndpointParams,
  EndpointRecord,
  SignedEndpointName,
} from "./types.generated.ts";

/** What `answer` takes, by the kind of the endpoint's result. */
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
  readonly #endpoint: Endpoint;
  readonly #exchange: Exchange;
  readonly #compat: boolean;

  constructor(
    endpoint: Endpoint,
    exchange: Exchange,
    caller: Caller<Name>,
    params: EndpointParams[Name],
    nowMs: number,
    compat: boolean,
  ) {
    this.params = params;
    this.caller = caller;
    this.nowMs = nowMs;
    this.#endpoint = endpoint;
    this.#exchange = exchange;
    this.#compat = compat;
  }

  get remoteAddress(): string {
    return this.#exchange.remoteAddress;
  }

  /** Answers with what the endpoint's contract promises. Records may come as ready JSON text. */
  answer(...answer: Answer<Name>): void {
    const envelope = this.#envelope(answer as readonly unknown[]);
    if (this.#endpoint.method === "GET") this.#exchange.answerUncached(envelope);
    else this.#exchange.answer(envelope);
  }

  /** Answers that the call was refused; `message` says more than the refusal's own sentence. */
  refuse(refusal: WireRefusal | Refused, message?: string): void {
    if (refusal instanceof Refused) this.#exchange.refuse(refusal.refusal, refusal.message);
    else this.#exchange.refuse(refusal, message);
  }

  /** Answers 4003 for what was thrown where the frame cannot see it: in a callback. */
  fail(error: unknown): void {
    this.#exchange.fail(error);
  }

  #envelope(answer: readonly unknown[]): string {
    const { kind, flat_under_compat: flat } = this.#endpoint.result;
    switch (kind) {
      case "empty":
        return EMPTY;
      case "page":
        return pageText(answer[0] as JsonText, answer[1] as Pagination);
      case "batch":
        return batchText(answer[0] as BatchElement<object>[], this.#compat && flat === true);
      default:
        return successText(answer[0] as JsonText);
    }
  }
}

const EMPTY = successText({});
