// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The venue's HTTP API, as any client has it, and the calls below /web of who is signed in. */

/** The venue said no, in a sentence. */
export class Refusal extends Error {
  constructor({ message, data }) {
    super(message);
    this.name = "Refusal";
    /** Its name, which calls below /web have. */
    this.reason = data?.reason;
  }
}

/** Follows from the cookie of the session, which no script can read; null for who is not signed in. */
let csrf = null;

export function read(path) {
  return ask("GET", path);
}

export function act(path, body = {}) {
  return ask("POST", path, body);
}

async function ask(method, path, body) {
  const headers = { ...(body && { "content-type": "application/json" }), ...(csrf && { "x-bourse-csrf": csrf }) };
  const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const envelope = await answer.json();
  if (envelope.code !== 0) throw new Refusal(envelope);
  if (envelope.data?.csrf !== undefined) csrf = envelope.data.csrf;
  return envelope.data;
}
