/**
 * The parameters of a legacy request, from the query and from a body that is JSON or a form, each with the text that
 * the client has signed for it. Names and values are signed undecorated, so numbers count as they were written. Source:
 * contract/legacy/README.md, Signing and open points 3 and 4.
 */
import { isUtf8 } from "node:buffer";
import type { RequestContext } from "../http/request-context.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { readForm, readPairs, withoutEmptyPairs } from "../request/pairs.ts";
import type { Params } from "../request/validate.ts";

/** A request as it was sent. */
export type RequestSent = Pick<RequestContext, "query" | "body">;

export interface Sent {
  /** By name; of a query or form a text, of JSON what it holds. A body wins over the query. */
  readonly values: Params;
  /** Returns the texts that may have been signed, without the secret, the likeliest first. Made on each call. */
  signedTexts(): string[];
}

/**
 * Values that one request may hold, names not counted: the longest batch of the contract has some 200. What was signed
 * is worked out before anybody has proved anything, and costs by the value.
 */
export const VALUES_MAX = 500;

const TOO_MANY = new Refused("request_malformed", `The request holds more than ${VALUES_MAX} values.`);

const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const COMMA = 0x2c;
const AMPERSAND = 0x26;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** How many values a request holds at most, by what separates them: cheaper to say than to read it. */
export function valuesIn({ query, body }: RequestSent): number {
  let values = query === "" ? 0 : 1;
  for (let at = query.indexOf("&"); at >= 0; at = query.indexOf("&", at + 1)) values++;
  if (body.length === 0) return values;
  values++;
  const isObject = isJson(body);
  for (const byte of body) {
    if (isObject ? byte === COMMA || byte === OPENING_BRACE || byte === OPENING_BRACKET : byte === AMPERSAND) values++;
  }
  return values;
}

export function sentBy(request: RequestSent): Sent | Refused {
  if (valuesIn(request) > VALUES_MAX) return TOO_MANY;
  const { query, body } = request;
  const values: Params = Object.create(null);
  let hasTwins = false;
  const take = (name: string, value: string) => {
    hasTwins ||= name in values;
    values[name] = value;
  };
  const wrong = readPairs(query, take);
  if (wrong !== undefined) return wrong;
  // What was sent is all that was sent, or a signature of the one part would hold for whatever the other says; and no
  // name is in it twice, or a value with an ampersand could be taken apart by anyone who has overheard it, and one of
  // its parts for another parameter.
  const asSent = (text: string) => (hasTwins ? [] : [withoutEmptyPairs(text)]);
  if (body.length === 0) return { values, signedTexts: () => textsOf(values, asSent(query)) };
  if (!isJson(body)) {
    const bad = readForm(body, take);
    return bad ?? { values, signedTexts: () => textsOf(values, query === "" ? asSent(body.toString("utf8")) : []) };
  }
  const parsed = parseJsonBody(body);
  if (parsed instanceof Refused) return parsed;
  for (const [name, value] of Object.entries(parsed)) values[name] = value;
  return { values, signedTexts: () => textsOf({ ...values, ...sourcesOf(body) }, []) };
}

/** Whether a body is a JSON object and not a form: clients say so in a header or do not. */
function isJson(body: Buffer): boolean {
  let at = 0;
  while (SPACES.has(body[at] as number)) at++;
  return body[at] === OPENING_BRACE;
}

/**
 * The texts that clients of this generation are known to sign: all parameters sorted by name, undecorated, with what is
 * no text or number written as JSON has it, as JSON with blanks, as Python does, or a member at a time; then what was
 * sent, byte by byte, without empty pairs.
 */
function textsOf(values: Params, asSent: readonly string[]): string[] {
  const names = Object.keys(values).sort();
  const sorted = (write: (value: unknown) => string) => names.map((name) => `${name}=${write(values[name])}`).join("&");
  const texts = [sorted(plainText)];
  if (names.some((name) => typeof values[name] === "boolean" || typeof values[name] === "object")) {
    const members = names.flatMap((name) => memberPairs(name, values[name]));
    texts.push(sorted(spacedText), sorted(pythonText), members.join("&"));
  }
  return [...new Set([...texts, ...asSent.filter((text) => text !== "")])];
}

/** The value as JSON writes it, texts without their quotes. */
function plainText(value: unknown): string {
  if (value instanceof Source) return value.text;
  return typeof value === "string" ? value : JSON.stringify(value, unwrapped);
}

/** As most programs outside of browsers write JSON: a blank behind each comma and colon. */
function spacedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedMember).join(", ")}]`;
  if (typeof value === "object" && value !== null && !(value instanceof Source)) {
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${spacedMember(each)}`)
      .join(", ")}}`;
  }
  return plainText(value);
}

function spacedMember(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : spacedText(value);
}

/** As Python's `str` writes it. */
function pythonText(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Source || typeof value !== "object") return plainText(value);
  if (Array.isArray(value)) return `[${value.map(pythonMember).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, each]) => `${pythonMember(name)}: ${pythonMember(each)}`)
    .join(", ")}}`;
}

function pythonMember(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : pythonText(value);
}

/** `ips[0]=a` and `ips[1]=b`, as programs write that make a form of everything. */
function memberPairs(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null || value instanceof Source) return [`${name}=${plainText(value)}`];
  return Object.entries(value).flatMap(([key, member]) => memberPairs(`${name}[${key}]`, member));
}

/** A number as it was written. */
class Source {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown) => unknown;

/** The members of a body that is known to be a JSON object, numbers as they were written. */
function sourcesOf(body: Buffer): Params {
  const revive = (_key: string, value: unknown, context: { source?: string }) =>
    typeof value === "number" ? new Source(context.source as string) : value;
  return isUtf8(body) ? (JSON.parse(body.toString("utf8"), revive as Reviver) as Params) : {};
}

/** Numbers within lists and objects as they were written, as far as a number can hold them. */
function unwrapped(_key: string, value: unknown): unknown {
  return value instanceof Source ? Number(value.text) : value;
}
