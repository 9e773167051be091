/**
 * The operators' interface for the venue itself: what plays on it does what an operator may, in his name and without a
 * socket.
 */
import { EnvelopeRenderer } from "../envelope/renderer.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import { Refused } from "../refused.ts";
import { answerOf, queryOf } from "./answer.ts";
import type { AdminVenue, Asker } from "./backend.ts";
import { type AdminCall, FIELD_IN_PATH } from "./call.ts";

/** The answer of a call, or the sentence with which it is refused. */
export type OwnAnswer = Record<string, unknown> | string;

/** Makes a call with method and path as over HTTP; `path` may have a query. */
export type CallOwn = (
  venue: AdminVenue,
  operator: Asker,
  call: { readonly method: string; readonly path: string; readonly body?: object | undefined },
) => Promise<OwnAnswer>;

/** Returns the function that makes these calls; `rows` holds the codes and messages of refusals. */
export function ownCalls(calls: readonly AdminCall[], rows: AllRefusalRows): CallOwn {
  const renderer = new EnvelopeRenderer(rows);
  const paths = calls.map((call) => ({
    call,
    pattern: new RegExp(`^${call.path.replace(FIELD_IN_PATH, "([^/]+)")}$`),
  }));
  return async (venue, operator, { method, path, body = {} }) => {
    const [place = "", query = ""] = path.split("?");
    const found = paths.find(({ call, pattern }) => call.method === method && pattern.test(place));
    if (found === undefined) return `There is no call ${method} ${place}.`;
    const { call, pattern } = found;
    const values = method === "POST" ? body : queryOf(call, query);
    const answer =
      values instanceof Refused
        ? values
        : await answerOf({ ...venue, operator }, call, { ...values, ...inPathOf(call, pattern.exec(place)?.[1]) });
    return answer instanceof Refused ? sentenceOf(renderer, answer) : (answer as Record<string, unknown>);
  };
}

function inPathOf({ fields }: AdminCall, text: string | undefined): Record<string, string> {
  const [first] = Object.keys(fields);
  return text === undefined || first === undefined ? {} : { [first]: decodeURIComponent(text) };
}

function sentenceOf(renderer: EnvelopeRenderer, refused: Refused): string {
  return (JSON.parse(renderer.render(refused).body) as { message: string }).message;
}
