/** A call below `/web`: its fields, whom it is for, and its answer. */

import type { JsonCommand } from "../../engine/command.ts";
import { refusalIn } from "../../engine/engine.ts";
import type { Session } from "../../engine/identity/identities.ts";
import type { AdminClock, AdminVenue } from "../admin/backend.ts";
import type { Fields, Values } from "../admin/field.ts";
import type { SecretVault } from "../auth/secret-vault.ts";
import type { Tickets } from "../auth/tickets.ts";
import type { WebSessions } from "../auth/web-sessions.ts";
import type { Backend } from "../backend.ts";
import { engineRefused, Refused } from "../refused.ts";
import type { Attempts } from "./attempts.ts";
import type { Mails } from "./mails.ts";
import type { Passwords } from "./passwords.ts";

/** The venue as it is to people who sign in. */
export interface WebVenue {
  readonly backend: Backend;
  readonly sessions: WebSessions;
  readonly vault: Pick<SecretVault, "seal" | "unseal" | "newKey" | "newToken">;
  readonly profile: "dev" | "production";
  readonly signUp: boolean;
  /** Names of accounts that anybody may sign in to; of the dev profile only. */
  readonly demoAccounts: readonly string[];
  /**
   * The venue as its operators have it, where everybody may be one because their token is no secret; undefined
   * elsewhere.
   */
  readonly sandbox: AdminVenue | undefined;
  /** Undefined on the machine's clock. */
  readonly clock: AdminClock | undefined;
  /** Where the venue's page stands; undefined: at whatever host is asked. */
  readonly origin: string | undefined;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly tickets: Tickets;
  /** Undefined where no mails are sent. */
  readonly mails: Mails | undefined;
  /** Answers with what would be in a mail, in the dev profile without a server for mails. */
  readonly showsLinks: boolean;
  /** The machine's time, ms, by which people and their devices live, whatever the venue's clock says. */
  machineNow(): number;
}

/** Who asks, from where. */
export interface Asker {
  readonly address: string;
  /** The name that the browser gives itself, cut. */
  readonly agent: string;
  /** Where the page stands that asks, such as `https://trade.example.com`. */
  readonly origin: string;
  /** Undefined for who is not signed in. */
  readonly session: Session | undefined;
  /** The value of the cookie, */
  readonly token: string | undefined;
  /** and of the one of the browser that has asked for an account. */
  readonly signUpToken: string | undefined;
}

/** The cookies that go along with an answer: a new one's value, or null to take it back. */
export interface WebAnswer {
  readonly data: object;
  readonly cookie?: string | null;
  readonly signUpCookie?: string | null;
}

/** `nobody`: needs no session. `confirmed`: anyone who sits there has shown a short while ago who he is. */
export type WebNeeds = "nobody" | "session" | "confirmed";

export interface WebCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Names in braces are fields. */
  readonly path: string;
  readonly needs: WebNeeds;
  readonly fields: Fields;
  serve(venue: WebVenue, asker: Asker, values: never): WebAnswer | Refused | Promise<WebAnswer | Refused>;
}

export type SignedIn = Asker & { readonly session: Session };

type AskerOf<Needs extends WebNeeds> = Needs extends "nobody" ? Asker : SignedIn;

/** Ties the types of values and asker to fields and needs. */
export function webCall<const Needs extends WebNeeds, All extends Fields>(
  definition: Omit<WebCall, "fields" | "serve" | "needs"> & {
    readonly needs: Needs;
    readonly fields: All;
    serve(
      venue: WebVenue,
      asker: AskerOf<Needs>,
      values: Values<All>,
    ): WebAnswer | Refused | Promise<WebAnswer | Refused>;
  },
): WebCall {
  return definition as unknown as WebCall;
}

/** Submits a command and resolves with its result once it is durable, or with the refusal. */
export function submit(backend: Backend, command: JsonCommand): Promise<{ readonly result: unknown } | Refused> {
  if (backend.isBusy) return Promise.resolve(new Refused("busy"));
  return new Promise((resolve) => {
    const taken = backend.submit(command, (outcome) => {
      const refusal = refusalIn(outcome);
      resolve(refusal === undefined ? { result: outcome.result } : engineRefused(refusal, outcome.detail));
    });
    if (!taken) resolve(new Refused("stopping"));
  });
}
