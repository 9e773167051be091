/**
 * The codes and messages of refusals in each generation of the API, and the rows of the gateway's own refusals. The
 * rows of the engine's refusals stand with the part of the gateway that they belong to (`parts/`).
 * docs/reference/errors.md lists all of them; a test compares.
 */
import type { GatewayRefusal, WireRefusal } from "./refused.ts";

export interface RefusalRow {
  /** The code in the current generation, */
  readonly v2: number;
  /** and in the envelope of the legacy one; */
  readonly v1: number;
  /** on its futures paths, where those have a code of their own for it. Source: contract/legacy/errors.json. */
  readonly perpetual?: number;
  /**
   * The section of docs/reference/domain.md that asks for it, and the row of its table where it has numbered ones: `2.1
   * row 8`.
   */
  readonly rule: string;
  /** The sentence sent when the place of refusal has nothing more exact to say. */
  readonly message: string;
}

/** Those of a part. */
export type RefusalRows = Readonly<Record<string, RefusalRow>>;

/** All of them. */
export type AllRefusalRows = Readonly<Record<WireRefusal, RefusalRow>>;

export const GATEWAY_ROWS = {
  path_not_found: { v2: 4004, v1: 2, rule: "13.1", message: "There is nothing at this path." },
  method_not_allowed: { v2: 4009, v1: 2, rule: "13.1", message: "This path does not answer to this HTTP method." },
  address_rate_limited: { v2: 4213, v1: 213, rule: "9", message: "There are too many requests from this address." },
  request_malformed: { v2: 4004, v1: 2, rule: "13.1", message: "The request cannot be read." },
  access_id_missing: { v2: 4005, v1: 24, rule: "13.2", message: "The header with the access id is missing." },
  access_id_unknown: { v2: 4005, v1: 24, rule: "13.2", message: "There is no API key with this access id." },
  signature_header_invalid: {
    v2: 4008,
    v1: 25,
    rule: "13.2",
    message: "The header with the signature is missing or does not hold 64 hexadecimal characters.",
  },
  timestamp_invalid: {
    v2: 4010,
    v1: 227,
    rule: "13.2",
    message: "The header with the timestamp is missing or does not hold the time in whole milliseconds.",
  },
  request_expired: {
    v2: 4010,
    v1: 227,
    rule: "13.2",
    message: "The timestamp of the request lies outside its window of time.",
  },
  signature_expired: {
    v2: 4017,
    v1: 227,
    rule: "13.2",
    message: "The timestamp of the request is older than any window allows.",
  },
  signature_mismatch: { v2: 4006, v1: 25, rule: "13.2", message: "The signature does not match the request." },
  ip_not_allowed: { v2: 4007, v1: 23, rule: "13.2", message: "The API key may not be used from this address." },
  key_expired: { v2: 4011, v1: 34, rule: "13.2", message: "The API key has expired." },
  permission_missing: { v2: 4158, v1: 158, rule: "13.2", message: "The API key lacks the permission for this call." },
  sub_account_not_allowed: { v2: 4512, v1: 158, rule: "6.3", message: "Only the main account may make this call." },
  sub_permission_missing: {
    v2: 4512,
    v1: 158,
    rule: "6.3",
    message: "The sub-account lacks the permission for this call.",
  },
  csrf_mismatch: {
    v2: 4006,
    v1: 25,
    rule: "6.8",
    message: "The header X-Bourse-CSRF is missing or does not belong to the session.",
  },
  origin_not_allowed: { v2: 4007, v1: 23, rule: "6.8", message: "A page of another origin may not ask for this." },
  confirmation_needed: {
    v2: 4158,
    v1: 158,
    rule: "6.8",
    message: "Confirm first who you are; the last time was too long ago, or without a second factor.",
  },
  credentials_wrong: { v2: 4005, v1: 24, rule: "6.8", message: "E-mail address and password do not belong together." },
  link_invalid: { v2: 4017, v1: 227, rule: "6.8", message: "The link is none of this venue, was used, or is too old." },
  sign_up_closed: { v2: 4158, v1: 158, rule: "6.8", message: "The venue takes no sign-ups at present." },
  too_many_attempts: { v2: 4213, v1: 213, rule: "6.8", message: "There were too many attempts; wait some minutes." },
  rate_limited: {
    v2: 4213,
    v1: 213,
    rule: "9",
    message: "There are too many requests of this kind from this account.",
  },
  invalid_parameter: { v2: 3639, v1: 2, rule: "13.3", message: "Invalid Parameter: a parameter is not as it must be." },
  depth_merge_unknown: {
    v2: 3639,
    v1: 651,
    rule: "13.3",
    message: "Invalid Parameter: levels are not merged by this step.",
  },
  address_invalid: {
    v2: 3639,
    v1: 2,
    rule: "7.2",
    message: "Invalid Parameter: the address is none of the chain.",
  },
  // Only the legacy generation tells it apart from an order that never was.
  order_of_another: { v2: 3600, v1: 601, rule: "2.15", message: "The order is that of another user." },
  sub_transfer_rejected: {
    v2: 3639,
    v1: 49,
    rule: "6.3",
    message: "Invalid Parameter: what the giving account owes keeps its money there.",
  },
  busy: { v2: 3008, v1: 3008, rule: "13.4", message: "The venue is busy and did nothing; try again." },
  unavailable: { v2: 4001, v1: 35, rule: "13.4", message: "The service is not available at present; try again." },
  timeout: {
    v2: 4002,
    v1: 36,
    rule: "13.4",
    message: "The venue did not answer in time; query what became of the request before you repeat it.",
  },
  starting: { v2: 4001, v1: 35, rule: "13.4", message: "The venue is starting and does not serve yet." },
  stopping: { v2: 4001, v1: 35, rule: "13.4", message: "The venue is stopping and takes no more requests." },
  history_unavailable: {
    v2: 4001,
    v1: 35,
    rule: "13.4",
    message: "What has ended cannot be read at present; trading goes on.",
  },
  internal_error: { v2: 4003, v1: 3, rule: "13.4", message: "The venue failed unexpectedly." },
} satisfies Record<GatewayRefusal, RefusalRow>;
