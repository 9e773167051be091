/** The pairs of a query string or of the body of a form. A plus sign is a space, as forms write it. */
import { isUtf8 } from "node:buffer";
import { Refused } from "../refused.ts";

/**
 * Calls `take` with each name and value in order, decoded; undefined when all went well. A later value of the same name
 * is meant to replace an earlier one. Pairs with neither a name nor a value are passed over: clients end queries in
 * `&`.
 */
export function readPairs(text: string, take: (name: string, value: string) => void): Refused | undefined {
  if (text === "") return undefined;
  try {
    for (const pair of text.split("&")) {
      if (isEmptyPair(pair)) continue;
      const equals = pair.indexOf("=");
      if (equals < 0) take(decode(pair), "");
      else take(decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)));
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return new Refused("request_malformed", "The query cannot be percent-decoded into UTF-8 text.");
  }
  return undefined;
}

/** The text without its empty pairs; the text itself when it has none. */
export function withoutEmptyPairs(text: string): string {
  const pairs = text.split("&");
  const kept = pairs.filter((pair) => !isEmptyPair(pair));
  return kept.length === pairs.length ? text : kept.join("&");
}

function isEmptyPair(pair: string): boolean {
  return pair === "" || pair === "=";
}

/** As `readPairs`, of the body of a form. */
export function readForm(bytes: Buffer, take: (name: string, value: string) => void): Refused | undefined {
  if (!isUtf8(bytes)) return new Refused("request_malformed", "The body is not valid UTF-8.");
  return readPairs(bytes.toString("utf8"), take);
}

function decode(text: string): string {
  if (text.indexOf("%") < 0 && text.indexOf("+") < 0) return text;
  return decodeURIComponent(text.replaceAll("+", " "));
}
