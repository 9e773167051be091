/**
 * Who is signed in. The page holds no secret: a cookie that no script can read, and a word that goes with each request.
 */
import { createEffect, createMemo, createRoot, createSignal, on } from "solid-js";
import { get, post, useCsrf } from "../api/client.ts";
import { sockets } from "../api/venue.ts";

export interface User {
  readonly user_id: number;
  readonly name: string;
  readonly email: string | null;
  readonly is_sub: boolean;
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recovery_codes: number;
  readonly session_id: number;
  readonly can_withdraw: boolean;
  /** No withdrawals before this time, ms; 0 for none. */
  readonly withdraw_from: number;
}

export interface Session {
  readonly profile: "dev" | "production";
  readonly sign_up: boolean;
  readonly demo_accounts: readonly string[];
  /** Whether the venue gives what is worth 10,000 USDT to who asks. */
  readonly test_money: boolean;
  readonly csrf: string | null;
  readonly user: User | null;
}

const [session, setSession] = createSignal<Session>();

export { session };

export const user = () => session()?.user ?? undefined;
/** Changes with who is signed in, and not with each reading of the session. */
export const userId = createRoot(() => createMemo(() => user()?.user_id));
export const isDev = () => session()?.profile === "dev";

/** Takes over what a call that begins or changes a session has answered. */
export function takeSession(next: Session): void {
  const before = session();
  useCsrf(next.csrf);
  setSession(next);
  if (next.csrf === (before?.csrf ?? null)) return;
  for (const socket of Object.values(sockets)) {
    if (before === undefined) socket.login();
    else socket.renewLogin();
  }
}

export async function readSession(): Promise<void> {
  takeSession(await get<Session>("/web/session"));
}

export async function continueAs(account: string): Promise<void> {
  takeSession(await post<Session>("/web/demo", { account }));
}

export async function signOut(): Promise<void> {
  await post("/web/sign-out");
  await readSession();
}

const RETRY_MS = 2_000;

function readSoon(): void {
  readSession().catch(() => setTimeout(readSoon, RETRY_MS));
}

createRoot(() => {
  // A venue that was away may have ended the session, or be another one.
  createEffect(
    on(sockets.spot.state, (state, before) => {
      if (state === "open" && before === "lost") readSoon();
    }),
  );
});
readSoon();
