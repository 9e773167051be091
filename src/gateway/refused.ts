/**
 * Refusals, independent of who is told: the engine refuses commands that the rules of trade forbid, the gateway refuses
 * requests that are wrong in themselves. The wording of a refusal is the business of each surface (`refusal-rows.ts`,
 * `http/renderer.ts`).
 */
import type { Refusal } from "../engine/refusal.ts";

/**
 * Refusals of the gateway itself, in the order of the current generation's checks: path, key, signature, account, body,
 * parameters.
 */
export type GatewayRefusal =
  | "path_not_found"
  | "method_not_allowed"
  | "address_rate_limited"
  | "request_malformed"
  | "access_id_missing"
  | "access_id_unknown"
  | "signature_header_invalid"
  | "timestamp_invalid"
  | "request_expired"
  | "signature_expired"
  | "signature_mismatch"
  | "ip_not_allowed"
  | "key_expired"
  | "permission_missing"
  | "sub_account_not_allowed"
  | "sub_permission_missing"
  | "csrf_mismatch"
  | "origin_not_allowed"
  | "confirmation_needed"
  | "credentials_wrong"
  | "link_invalid"
  | "sign_up_closed"
  | "too_many_attempts"
  | "rate_limited"
  | "invalid_parameter"
  | "depth_merge_unknown"
  | "address_invalid"
  | "order_of_another"
  | "sub_transfer_rejected"
  | "busy"
  | "unavailable"
  | "timeout"
  | "starting"
  | "stopping"
  | "history_unavailable"
  | "internal_error";

export type WireRefusal = Refusal | GatewayRefusal;

/** The figures that decided a refusal: names as in the API's fields, and values as they are printed there. */
export type Figures = Readonly<Record<string, string | number | boolean>>;

/** A refusal with what there is to say beyond its row. A class, so that nothing a client sends can look like one. */
export class Refused {
  readonly refusal: WireRefusal;
  /** A whole sentence in place of the row's. */
  readonly message: string | undefined;
  /**
   * The exact mistake, without the capital of a sentence: for refusals whose code tells only that something is wrong.
   */
  readonly detail: string | undefined;
  /** For who asks why; no answer's body has them. */
  readonly figures: Figures | undefined;

  constructor(refusal: WireRefusal, message?: string, detail?: string, figures?: Figures) {
    this.refusal = refusal;
    this.message = message;
    this.detail = detail;
    this.figures = figures;
  }
}

/**
 * The refusal of a market that is not listed; clients match the start and the end of its message, so it has no full
 * stop.
 */
export function marketNotFound(market: string): Refused {
  return new Refused("market_not_found", undefined, `market ${market} not found`);
}

/** Returns a refusal of the engine. Its sentence names the parameter that is wrong. */
export function engineRefused(refusal: Refusal, sentence: string | undefined, figures?: Figures): Refused {
  // One that JSON commands share with others has the sentence of its row.
  const detail = sentence ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : undefined;
  return new Refused(refusal, undefined, detail, figures);
}

/** Returns the refusal of a request that is not well-formed at all; `message` is the sentence that tells why. */
export function malformed(message: string): Refused {
  return new Refused("request_malformed", message);
}

/** `what` names the parameter and what was expected, and ends the sentence. */
export function invalidParameter(what: string): Refused {
  return new Refused("invalid_parameter", undefined, what);
}
