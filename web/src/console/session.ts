/**
 * Who sits at the console, and what he may do. The token goes to the venue once and is kept nowhere: a cookie that no
 * script reads stands for it.
 */
import { createSignal } from "solid-js";
import { proveBy } from "../account/passkeys.ts";
import { get, post, Refusal, remove, useCsrf } from "../api/client.ts";
import { type Call, takeCalls } from "./calls.ts";

export interface Operator {
  readonly name: string;
  readonly role: "viewer" | "support" | "treasurer" | "admin";
}

export interface ConsoleSession {
  readonly profile: "dev" | "production";
  readonly version: string | null;
  /** Whether nobody needs a token to be root here. */
  readonly one_click: boolean;
  readonly csrf: string | null;
  readonly operator: Operator | null;
  /** The venue's time, and how long it is up, ms. */
  readonly time_ms: number | null;
  readonly uptime_ms: number | null;
  /** The virtual clock; null for the machine's. */
  readonly clock: { readonly frozen: boolean; readonly speed: number } | null;
  /** Amounts by currency: an act that moves more than this waits for a second operator. */
  readonly four_eyes: Readonly<Record<string, string>>;
  /** Changes of operators, and what opens somebody's account, wait for a second operator, too. */
  readonly changes_take_two: boolean;
}

const [session, setSession] = createSignal<ConsoleSession>();
const [hasEnded, setHasEnded] = createSignal(false);

export { hasEnded, session };

export const operator = () => session()?.operator ?? undefined;
export const isDev = () => session()?.profile === "dev";

const PATH = "/admin/session";
/** Where the calls about passkeys stand. */
export const PASSKEYS = "/admin/passkeys";

async function take(next: ConsoleSession): Promise<void> {
  useCsrf(next.csrf);
  const calls = next.operator === null ? [] : (await get<{ calls: Call[] }>("/admin/calls")).calls;
  takeCalls(calls);
  setSession(next);
}

export async function readSession(): Promise<void> {
  await take(await get<ConsoleSession>(PATH));
}

export async function signIn(by: { readonly token: string } | { readonly one_click: true }): Promise<void> {
  const next = await post<ConsoleSession>(PATH, by);
  setHasEnded(false);
  await take(next);
}

/** Signs in by a passkey of this device. */
export async function signInByPasskey(): Promise<void> {
  const next = await proveBy<ConsoleSession>("sign-in", PASSKEYS);
  setHasEnded(false);
  await take(next);
}

/** Takes one's place as an operator with the codes that one was given; gives the token, which nobody else knows. */
export async function enrol(name: string, codes: readonly string[]): Promise<string> {
  return (await post<{ token: string }>("/admin/enrolment", { name, codes })).token;
}

export async function signOut(): Promise<void> {
  await take(await remove<ConsoleSession>(PATH));
}

/** The envelope's code of who is not signed in, or no more. */
const NOBODY = 4005;

/** To be told of everything that was asked: a session that has ended leads back to the form. */
export async function watched<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.code === NOBODY && operator() !== undefined) {
      setHasEnded(true);
      await readSession().catch(() => {});
    }
    throw error;
  }
}
