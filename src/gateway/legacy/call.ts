/** One checked call of a legacy endpoint: what a handler is given and how it answers. */
import type { ApiKey } from "../auth/key-directory.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Answering, Trace } from "../reading/answering.ts";
import type { JsonText } from "../reading/json-text.ts";
import type { Refused, WireRefusal } from "../refused.ts";
import { envelopeText, type LegacyRenderer } from "./renderer.ts";
import type { LegacyKind, LegacyName, LegacyParamsOf, LegacyRecord } from "./types.generated.ts";

/**
 * The data that `answer` takes, by the kind of the endpoint's result: records or ready JSON text. A page comes whole.
 */
export interface LegacyAnswerOfKind<Row> {
  readonly object: Row | JsonText;
  readonly map: Readonly<Record<string, Row>> | JsonText;
  readonly array: readonly Row[] | JsonText;
  readonly page: JsonText | LegacyPages<Row>;
  readonly scalar: Row;
  readonly empty: undefined;
}

/** The pages of this generation, told apart by their members. */
export type LegacyPages<Row> =
  | {
      readonly has_next: boolean;
      readonly curr_page: number;
      readonly count: number;
      readonly data: readonly Row[];
      readonly total: number;
      readonly total_page: number;
    }
  | { readonly records: readonly Row[]; readonly total: number }
  | { readonly records: readonly Row[]; readonly offset: number; readonly limit: number; readonly total?: number };

export type LegacyAnswer<Name extends LegacyName> = LegacyAnswerOfKind<LegacyRecord[Name]>[LegacyKind[Name]];

export type LegacyHandler<Name extends LegacyName> = (call: LegacyCall<Name>) => void | Promise<void>;

/** The handlers by `"METHOD /path"`. */
export type LegacyHandlers = { readonly [Name in LegacyName]?: LegacyHandler<Name> };

/** The request, the renderer and the message with which a call is answered. */
export interface LegacyFrame {
  readonly context: RequestContext;
  readonly renderer: LegacyRenderer;
  /** The message in the envelope of a success. */
  readonly message: string;
}

export class LegacyCall<Name extends LegacyName = LegacyName> implements Answering {
  readonly params: LegacyParamsOf[Name];
  /** The API key that signed; on endpoints that take no signature nobody asks for it. */
  readonly caller: ApiKey;
  /** The venue's time when the request was complete. */
  readonly nowMs: number;
  /** How this surface says no to one of many. */
  readonly renderer: LegacyRenderer;
  readonly #context: RequestContext;
  readonly #message: string;

  constructor(
    { context, renderer, message }: LegacyFrame,
    caller: ApiKey,
    params: LegacyParamsOf[Name],
    nowMs: number,
  ) {
    this.renderer = renderer;
    this.#context = context;
    this.caller = caller;
    this.params = params;
    this.nowMs = nowMs;
    this.#message = message;
  }

  get trace(): Trace {
    return this.#context;
  }

  get remoteAddress(): string {
    return this.#context.remoteAddress;
  }

  answer(data: LegacyAnswer<Name>): void {
    const text = data === undefined ? "{}" : typeof data === "string" && isJsonText(data) ? data : JSON.stringify(data);
    const envelope = envelopeText(0, this.#message, text as string);
    if (this.#context.method === "GET") this.#context.answerUncached(envelope);
    else this.#context.answer(envelope);
  }

  refuse(refusal: WireRefusal | Refused): void {
    this.#context.refuse(refusal);
  }

  fail(error: unknown): void {
    this.#context.fail(error);
  }
}

/** Ready JSON is that of an object or a list; a text by itself is a scalar. */
function isJsonText(text: string): boolean {
  return text.startsWith("{") || text.startsWith("[");
}
