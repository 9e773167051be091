/** The search of operators: each part of the gateway looks for what it knows by the text that was given. */
import type { AdminBackend } from "./backend.ts";
import { type AdminCall, call } from "./call.ts";
import { required, text } from "./field.ts";

/** Of one kind more are not listed: who finds so many gives more of the name. */
export const FOUND_MAX = 20;

/** Something that was found. `kind` and `id` lead to it. */
export interface Found {
  readonly kind: "user" | "key" | "order" | "stop order" | "deal" | "position" | "deposit" | "withdrawal" | "request";
  readonly id: string;
  /** A line that tells it from others. */
  readonly says: string;
  /** Whose it is; 0: nobody's, or of several. */
  readonly userId: number;
}

/** Finds the things that a part knows by a text; mostly none. */
export type Finder = (backend: AdminBackend, text: string) => Iterable<Found> | Promise<Iterable<Found>>;

const ID = /^[1-9]\d{0,15}$/;

/** The number that a text is; undefined when it is none. */
export function idIn(text: string): number | undefined {
  const id = ID.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

export function searchCall(finders: readonly Finder[]): AdminCall {
  return call({
    method: "GET",
    path: "/admin/search",
    verbs: {
      search:
        "Find users by name, e-mail, number, key or address, and orders, deals, positions, payments and " +
        "requests by their numbers.",
    },
    fields: { text: required(text("TEXT", 1, 256), "a name or part of one, a number, or whatever identifies it") },
    async serve(backend, { text: given }) {
      const wanted = given.trim();
      const found = wanted === "" ? [] : await Promise.all(finders.map((find) => find(backend, wanted)));
      return { found: found.flatMap((some) => [...some]).map(({ userId, ...one }) => ({ ...one, user_id: userId })) };
    },
  });
}
