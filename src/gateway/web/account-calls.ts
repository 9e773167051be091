/** Signing up and in with e-mail address and password, and what there is around a password. */
import { createHash } from "node:crypto";
import { EMAIL_CHARS_MAX, isEmail } from "../../engine/identity/commands.ts";
import { type Identity, identities } from "../../engine/identity/identities.ts";
import { optional, required, text } from "../admin/field.ts";
import { passwordName } from "../auth/sealed.ts";
import { TICKET_CHARS_MAX } from "../auth/tickets.ts";
import { newToken, tokenHashOf } from "../auth/web-sessions.ts";
import { groupOf } from "../limits/address.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { type Asker, submit, type WebCall, type WebVenue, webCall } from "./call.ts";
import { PASSWORD_CHARS_MAX, refusePassword } from "./passwords.ts";
import { type Shown, shownOf, type Typed } from "./second-factor.ts";
import { begin, sessionData } from "./session-calls.ts";

const email = required(text("EMAIL", 1, EMAIL_CHARS_MAX), "the address to sign in with");
const password = required(text("PASSWORD", 1, PASSWORD_CHARS_MAX), "the password");
const newPassword = required(text("PASSWORD", 1, PASSWORD_CHARS_MAX), "what it is to be");
const token = required(text("TOKEN", 1, TICKET_CHARS_MAX), "of the link that was sent");
const typed = {
  totp: optional(text("CODE", 1, 10), "the code that the authenticator shows"),
  recovery_code: optional(text("CODE", 1, 64), "one of the codes that were shown once"),
};

const NO_MAIL = new Refused("sign_up_closed", "This venue sends no mails; ask its operator.");
const WRONG = new Refused("credentials_wrong");

const signUp = webCall({
  method: "POST",
  path: "/web/sign-up",
  needs: "nobody",
  fields: { email, password },
  async serve(venue, asker, values) {
    const { mails, attempts, passwords, tickets, backend, vault } = venue;
    if (!venue.signUp) return new Refused("sign_up_closed");
    if (mails === undefined) return NO_MAIL;
    const address = values.email.toLowerCase();
    if (!isEmail(address)) return NOT_AN_ADDRESS;
    const weak = refusePassword(values.password, address);
    if (weak !== undefined) return weak;
    if (!attempts.mailFrom(asker.address)) return new Refused("too_many_attempts");
    // Hashed in any case: how long it takes must not say whether there is an account.
    const hash = await passwords.hash(values.password, { address: asker.address, isKnown: false });
    if (hash instanceof Refused) return hash;
    const { state } = backend;
    const isTaken = identities.of(state).withEmail(address) !== undefined || state.users.byName.has(address);
    const browser = asker.signUpToken ?? newToken(vault);
    const ticket = tickets.issue("sign-up", { email: address, hash, browser: tokenHashOf(browser) });
    if (isTaken) mails.alreadySignedUp(address);
    else mails.signUp(address, `${asker.origin}/#sign-up=${ticket}`);
    return { data: venue.showsLinks ? { dev_token: isTaken ? null : ticket } : {}, signUpCookie: browser };
  },
});

/**
 * Signs in only the browser that has asked: a link that somebody else has asked for would otherwise sign people in to
 * his account, and what they bring there would be his.
 */
const confirmSignUp = webCall({
  method: "POST",
  path: "/web/sign-up/confirm",
  needs: "nobody",
  fields: { token },
  async serve(venue, asker, values) {
    const { tickets, vault, backend } = venue;
    if (!venue.signUp) return new Refused("sign_up_closed");
    const wanted = tickets.read<{ email: string; hash: string; browser: string }>("sign-up", values.token);
    if (wanted instanceof Refused) return wanted;
    const passwordCipher = vault.seal(passwordName(wanted.email), wanted.hash);
    const made = await submit(backend, { kind: "sign_up", email: wanted.email, passwordCipher });
    // Anyone who opens the link a second time has an account, and signs in to it as everybody does.
    if (made instanceof Refused) return made.refusal === "email_taken" ? new Refused("link_invalid") : made;
    const { signUpToken, session, token: own } = asker;
    const isHere = signUpToken !== undefined && tokenHashOf(signUpToken) === wanted.browser;
    // Whose account it is: a browser that did not ask offers to sign in to it.
    const { email: address } = wanted;
    if (!isHere) return { data: { ...sessionData(venue, session, own), email: address } };
    const { userId } = made.result as { userId: number };
    const begun = await begin(venue, asker, { userId, by: "password" });
    return begun instanceof Refused ? begun : { ...begun, data: { ...begun.data, email: address }, signUpCookie: null };
  },
});

const signIn = webCall({
  method: "POST",
  path: "/web/sign-in",
  needs: "nobody",
  fields: { email, password, ...typed },
  async serve(venue, asker, values) {
    const address = values.email.toLowerCase();
    const identity = identities.of(venue.backend.state).withEmail(address);
    const isKnown = identity !== undefined && wasUsedFrom(venue, identity, asker.address);
    const shown = await proved(venue, asker, { ...values, email: address }, identity, isKnown);
    if (shown instanceof Refused) return shown;
    const { userId } = identity as Identity;
    const begun = await begin(venue, asker, { userId, by: "password", ...shown });
    if (!(begun instanceof Refused) && !isKnown) {
      venue.mails?.notice(address, `Somebody has signed in to your account from the address ${asker.address}.`);
    }
    return begun;
  },
});

const confirm = webCall({
  method: "POST",
  path: "/web/confirm",
  needs: "session",
  fields: { password, ...typed },
  async serve(venue, asker, values) {
    const { backend } = venue;
    const { session } = asker;
    const identity = identities.of(backend.state).byUser.get(session.userId);
    if (identity === undefined) return new Refused("identity_not_found");
    const shown = await proved(venue, asker, { ...values, email: identity.email }, identity, true);
    if (shown instanceof Refused) return shown;
    const { userId, sessionId } = session;
    const confirmed = await submit(backend, { kind: "confirm_session", userId, sessionId, by: "password", ...shown });
    if (confirmed instanceof Refused) return confirmed;
    return { data: sessionData(venue, identities.of(backend.state).sessions.get(sessionId), asker.token) };
  },
});

const changePassword = webCall({
  method: "POST",
  path: "/web/password",
  needs: "confirmed",
  fields: { password, new_password: newPassword },
  async serve(venue, asker, values) {
    const { backend, mails } = venue;
    const { userId, sessionId } = asker.session;
    const identity = identities.of(backend.state).byUser.get(userId);
    if (identity === undefined) return new Refused("identity_not_found");
    const weak = refusePassword(values.new_password, identity.email);
    if (weak !== undefined) return weak;
    const isRight = await passwordFits(venue, asker, values.password, identity.email, identity, true);
    if (isRight instanceof Refused) return isRight;
    const set = await setPassword(venue, asker, identity, values.new_password, { keepSessionId: sessionId });
    if (set !== undefined) return set;
    mails?.notice(identity.email, "The password of your account has been changed.");
    return { data: sessionData(venue, identities.of(backend.state).sessions.get(sessionId), asker.token) };
  },
});

const askReset = webCall({
  method: "POST",
  path: "/web/password/reset",
  needs: "nobody",
  fields: { email },
  serve(venue, asker, values) {
    const { mails, attempts, tickets, backend } = venue;
    if (mails === undefined) return NO_MAIL;
    const address = values.email.toLowerCase();
    if (!isEmail(address)) return NOT_AN_ADDRESS;
    if (!attempts.mailFrom(asker.address)) return new Refused("too_many_attempts");
    const identity = identities.of(backend.state).withEmail(address);
    // Made in any case, so that it takes the same time.
    const ticket = tickets.issue("reset", {
      userId: identity?.userId ?? 0,
      of: marker(identity?.passwordCipher ?? ""),
    });
    if (identity !== undefined) mails.reset(address, `${asker.origin}/#reset=${ticket}`);
    return { data: venue.showsLinks ? { dev_token: identity === undefined ? null : ticket } : {} };
  },
});

const reset = webCall({
  method: "POST",
  path: "/web/password/reset/confirm",
  needs: "nobody",
  fields: { token, new_password: newPassword },
  async serve(venue, asker, values) {
    const { backend, tickets, mails } = venue;
    const asked = tickets.read<{ userId: number; of: string }>("reset", values.token);
    if (asked instanceof Refused) return asked;
    const identity = identities.of(backend.state).byUser.get(asked.userId);
    // A password that has been set since makes the link worth nothing, so it serves once.
    if (identity === undefined || marker(identity.passwordCipher) !== asked.of) return new Refused("link_invalid");
    const weak = refusePassword(values.new_password, identity.email);
    if (weak !== undefined) return weak;
    const set = await setPassword(venue, asker, identity, values.new_password, { isReset: true });
    if (set !== undefined) return set;
    mails?.notice(identity.email, "The password of your account has been set anew by a link from a mail.");
    return { data: {} };
  },
});

export const ACCOUNT_CALLS: readonly WebCall[] = [
  signUp,
  confirmSignUp,
  signIn,
  confirm,
  changePassword,
  askReset,
  reset,
];

const NOT_AN_ADDRESS = invalidParameter(`email must be an e-mail address of at most ${EMAIL_CHARS_MAX} characters.`);

interface Given extends Typed {
  readonly email: string;
  readonly password: string;
}

/** Returns the second factor that was shown, once the password was right; a refusal when either is wrong. */
async function proved(
  venue: WebVenue,
  asker: Asker,
  given: Given,
  identity: Identity | undefined,
  isKnown: boolean,
): Promise<Shown | Refused> {
  const fits = await passwordFits(venue, asker, given.password, given.email, identity, isKnown);
  // A password that fits is that of an account.
  return fits instanceof Refused ? fits : shownOf(venue, fits, given);
}

/** The identity whose password it is. Without one it takes as long to find out. */
async function passwordFits(
  { attempts, passwords, vault, backend }: WebVenue,
  { address }: Asker,
  given: string,
  to: string,
  identity: Identity | undefined,
  isKnown: boolean,
): Promise<Identity | Refused> {
  const attempt = attempts.signIn(address, { email: to, isAccount: identity !== undefined, isKnown });
  if (attempt === undefined) return new Refused("too_many_attempts");
  const cipher = identity?.passwordCipher ?? "";
  const kept = cipher === "" ? undefined : vault.unseal(passwordName(to), cipher);
  const fits = await passwords.fits(given, kept, { address, isKnown });
  if (fits === false) return WRONG;
  attempt.takeBack();
  if (fits instanceof Refused) return fits;
  const now = identities.of(backend.state).withEmail(to);
  // It may have been set anew meanwhile.
  return now !== undefined && now.passwordCipher === cipher ? now : WRONG;
}

/** Why it was not set; undefined when it was. */
async function setPassword(
  { passwords, vault, backend }: WebVenue,
  { address }: Asker,
  { userId, email: to }: Identity,
  text: string,
  how: { readonly keepSessionId?: number; readonly isReset?: boolean },
): Promise<Refused | undefined> {
  // Anyone who sets one is signed in, or has a link from a mail.
  const hash = await passwords.hash(text, { address, isKnown: true });
  if (hash instanceof Refused) return hash;
  const passwordCipher = vault.seal(passwordName(to), hash);
  const set = await submit(backend, { kind: "set_password", userId, passwordCipher, ...how });
  return set instanceof Refused ? set : undefined;
}

/** Whether somebody is, or was not long ago, signed in to an account from an address. */
function wasUsedFrom({ backend }: WebVenue, { userId }: Identity, address: string): boolean {
  const group = groupOf(address);
  return [...identities.of(backend.state).sessionsOf(userId).values()].some((one) => groupOf(one.address) === group);
}

/** Tells which password a link is about to replace. */
function marker(passwordCipher: string): string {
  return createHash("sha256").update(passwordCipher).digest("base64url").slice(0, 22);
}
