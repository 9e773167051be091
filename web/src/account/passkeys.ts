/** Passkeys: what the browser and the venue say to each other about them. Loaded when somebody uses one. */
import { post } from "../api/client.ts";
import type { Session } from "./session.ts";

const WEB = "/web/passkeys";

interface Begun {
  // What lies between the venue and the browser is the business of both, not of this page.
  // biome-ignore lint/suspicious/noExplicitAny: WebAuthn's own JSON
  readonly options: any;
  readonly ticket: string;
}

/** A session begun by a passkey of this device. */
export async function signInByPasskey(): Promise<Session> {
  return await proveBy("sign-in");
}

/** The session with a fresh confirmation that its owner sits here. */
export async function confirmByPasskey(): Promise<Session> {
  return await proveBy("confirm");
}

/** Adds one of this device to who is signed in. `base`: where the venue's calls about passkeys stand. */
export async function addPasskey(name: string, base = WEB): Promise<void> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { options, ticket } = await post<Begun>(`${base}/registration`);
  const response = await startRegistration({ optionsJSON: options });
  await post(base, { ticket, response, name });
}

/** Shows a passkey of this device, and gives what the call at `path` below `base` makes of it. */
export async function proveBy<Answer>(path: string, base = WEB): Promise<Answer> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const { options, ticket } = await post<Begun>(`${base}/authentication`);
  const response = await startAuthentication({ optionsJSON: options });
  return await post<Answer>(`${base}/${path}`, { ticket, response });
}
