/** The fields that a page sends about a passkey: the same for people and for operators. */
import { PASSKEY_NAME_CHARS_MAX } from "../../engine/identity/passkeys.ts";
import { TICKET_CHARS_MAX } from "../auth/tickets.ts";
import { isObject, WRONG } from "../request/value.ts";
import { type Form, required, text } from "./field.ts";

const credential: Form<Record<string, unknown>> = {
  shape: "record",
  values: "JSON",
  expected: "the credential as the browser's toJSON gives it",
  check: (raw) => (isObject(raw) ? raw : WRONG),
};

/** Of a passkey that has answered. */
export const ANSWERED = {
  ticket: required(text("TICKET", 1, TICKET_CHARS_MAX), "as it was given"),
  response: required(credential, "what the browser answered"),
};

/** Of a new passkey. */
export const MADE = {
  ...ANSWERED,
  name: required(text("NAME", 1, PASSKEY_NAME_CHARS_MAX), "what its owner calls it"),
};
