/** Passkeys: what the browser and the venue say to each other about them. Loaded when somebody uses one. */
import { post } from "../api/client.ts";
import type { Session } from "./session.ts";

interface Begun {
  // What lies between the venue and the browser is the business of both, not of this page.
  // biome-ignore lint/suspicious/noExplicitAny: WebAuthn's own JSON
  readonly options: any;
  readonly ticket: string;
}

/** A session begun by a passkey of this device. */
export async function signInByPasskey(): Promise<Session> {
  return await proveBy("/web/passkeys/sign-in");
}

/** The session with a fresh confirmation that its owner sits here. */
export async function confirmByPasskey(): Promise<Session> {
  return await proveBy("/web/passkeys/confirm");
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { options, ticket } = await post<Begun>("/web/passkeys/registration");
  const response = await startRegistration({ optionsJSON: options });
  await post("/web/passkeys", { ticket, response, name });
}

async function proveBy(path: string): Promise<Session> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const { options, ticket } = await post<Begun>("/web/passkeys/authentication");
  const response = await startAuthentication({ optionsJSON: options });
  return await post<Session>(path, { ticket, response });
}
