/**
 * Tickets: data that the venue would have to remember between two requests of a person who is not signed in yet, sealed
 * and given to that person instead: a sign-up before its link is opened, a secret before its first code, a challenge
 * before its answer. A million of them cost no memory.
 */
import { Refused } from "../refused.ts";
import type { SecretVault } from "./secret-vault.ts";

const MINUTE_MS = 60_000;

/** The subject of each kind of ticket, and how long a ticket of that kind is good, ms. */
const LIVES = {
  "sign-up": 1_440 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
  totp: 15 * MINUTE_MS,
  "passkey registration": 5 * MINUTE_MS,
  "passkey authentication": 5 * MINUTE_MS,
  "operator passkey registration": 5 * MINUTE_MS,
  "operator passkey authentication": 5 * MINUTE_MS,
} as const;

export type TicketKind = keyof typeof LIVES;

/** Longest text that one has; the longest that is made stays far below. */
export const TICKET_CHARS_MAX = 2_000;
/** Uses that are remembered: only of tickets whose use proved somebody to be who he is. */
const USED_MAX = 100_000;

const INVALID = new Refused("link_invalid");

export class Tickets {
  readonly #vault: Pick<SecretVault, "seal" | "unseal">;
  readonly #now: () => number;
  readonly #used = new Map<string, number>();

  /** `now` is the machine's time, ms: people and their devices live by it, whatever the venue's clock says. */
  constructor(vault: Pick<SecretVault, "seal" | "unseal">, now: () => number = Date.now) {
    this.#vault = vault;
    this.#now = now;
  }

  issue(kind: TicketKind, content: object): string {
    const text = JSON.stringify({ ...content, until: this.#now() + LIVES[kind] });
    return Buffer.from(this.#vault.seal(nameOf(kind), text), "base64").toString("base64url");
  }

  /** Returns the sealed content; a refusal when the ticket is not of that kind or no longer good. */
  read<Content extends object>(kind: TicketKind, ticket: string): Content | Refused {
    try {
      const sealed = Buffer.from(ticket, "base64url").toString("base64");
      const content = JSON.parse(this.#vault.unseal(nameOf(kind), sealed)) as Content & { until: number };
      return this.#now() < content.until ? content : INVALID;
    } catch {
      return INVALID;
    }
  }

  /** Notes that a ticket has served; false when it has before. */
  use(ticket: string): boolean {
    const nowMs = this.#now();
    for (const [used, until] of this.#used) {
      if (until >= nowMs && this.#used.size < USED_MAX) break;
      this.#used.delete(used);
    }
    if (this.#used.has(ticket)) return false;
    this.#used.set(ticket, nowMs + LIVES["passkey authentication"]);
    return true;
  }
}

/** No access id has a space. */
function nameOf(kind: TicketKind): string {
  return `ticket ${kind}`;
}
