/** Identities: how an account gets e-mail address, password and second factors. Source: domain 6.8. */
import { enterUser, USERS_MAX } from "../accounts/commands.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type {
  AddPasskey,
  InviteIdentity,
  RemovePasskey,
  RemoveTotp,
  ResealIdentities,
  ResetIdentity,
  SetPassword,
  SetRecoveryCodes,
  SetTotp,
  SignUp,
} from "./command-schemas.ts";
import { hasSecondFactor, type Identity, identities } from "./identities.ts";
import { PASSKEYS_MAX, refusePasskey } from "./passkeys.ts";
import { endSessions } from "./sessions.ts";

const RECOVERY_CODES_MAX = 20;
/** An address is the name of its account, and names have as many characters. */
export const EMAIL_CHARS_MAX = 64;
/** As browsers check it in a field for addresses, in small letters: nothing in it could make two addresses of one. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const HASH = /^[0-9a-f]{64}$/;
/** How long a session may not withdraw when what protected the account was taken off: time for its owner to notice. */
export const WITHDRAW_PAUSE_MS = 86_400_000;

/** Makes an account for who holds an e-mail address; its name is the address. */
export function signUp(state: State, { email, passwordCipher }: SignUp): Answer {
  const hindrance = refuseAccountWrite(state) ?? refuseEmail(state, email);
  if (hindrance !== undefined) return hindrance;
  if (passwordCipher === "") return NO_PASSWORD;
  if (state.users.byName.has(email)) return refused("email_taken", "There is an account of that name already.");
  if (state.users.count >= USERS_MAX) return refused("invalid_command", "The venue cannot hold more users.");

  // Nothing is refused below this line.
  const userId = enterUser(state, email, 0);
  enterIdentity(state, userId, email, passwordCipher);
  return accepted({ userId });
}

export function inviteIdentity(state: State, { userId, email }: InviteIdentity): Answer {
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const hindrance = refuseEmail(state, email);
  if (hindrance !== undefined) return hindrance;
  if (identities.of(state).byUser.has(userId)) {
    return refused("email_taken", "The account has an e-mail address already.");
  }
  enterIdentity(state, userId, email, "");
  return accepted({ userId });
}

export function resetIdentity(state: State, { userId }: ResetIdentity): Answer {
  const bare = { passwordCipher: "", totpCipher: "", recoveryHashes: [], passkeys: [], ...withdrawPause(state) };
  return change(state, userId, () => ({ changed: bare }), { keep: undefined });
}

/** Anyone who sets a password ends the sessions of those who knew the old one. */
export function setPassword(state: State, command: SetPassword): Answer {
  const { userId, passwordCipher, keepSessionId, isReset } = command;
  if (passwordCipher === "") return NO_PASSWORD;
  const pause = isReset === true ? withdrawPause(state) : {};
  return change(state, userId, () => ({ changed: { passwordCipher, ...pause } }), { keep: keepSessionId });
}

export function setTotp(state: State, { userId, totpCipher, totpStep, recoveryHashes }: SetTotp): Answer {
  if (totpCipher === "") return refused("invalid_command", "An authenticator has a secret.");
  if (!areHashes(recoveryHashes)) return WRONG_HASHES;
  return change(state, userId, (identity) => ({
    changed: { totpCipher, totpStep, recoveryHashes: [...recoveryHashes], ...firstFactorPause(state, identity) },
  }));
}

export function setRecoveryCodes(state: State, { userId, recoveryHashes }: SetRecoveryCodes): Answer {
  if (!areHashes(recoveryHashes)) return WRONG_HASHES;
  return change(state, userId, ({ totpCipher }) =>
    totpCipher === "" ? NO_TOTP : { changed: { recoveryHashes: [...recoveryHashes] } },
  );
}

export function removeTotp(state: State, { userId }: RemoveTotp): Answer {
  return change(state, userId, ({ totpCipher }) =>
    totpCipher === ""
      ? NO_TOTP
      : { changed: { totpCipher: "", totpStep: 0, recoveryHashes: [], ...withdrawPause(state) } },
  );
}

export function addPasskey(state: State, command: AddPasskey): Answer {
  const { userId, credentialId, publicKey, counter, transports, name } = command;
  const own = identities.of(state);
  const wrong = refusePasskey(command);
  if (wrong !== undefined) return wrong;
  if (own.withCredential(credentialId) !== undefined) return refused("name_taken", "That passkey is in use.");
  const passkeyId = own.nextPasskeyId;
  const times = { createdAt: state.timeMs, usedAt: 0 };
  const passkey = { passkeyId, credentialId, publicKey, counter, transports: [...transports], name, ...times };
  const answer = change(state, userId, (identity) => {
    if (identity.passkeys.length >= PASSKEYS_MAX) {
      return refused("too_many_passkeys", `An account has at most ${PASSKEYS_MAX} passkeys.`);
    }
    return { changed: { passkeys: [...identity.passkeys, passkey], ...firstFactorPause(state, identity) } };
  });
  if (answer.refusal !== undefined) return answer;
  own.nextPasskeyId++;
  return accepted({ passkeyId });
}

export function removePasskey(state: State, { userId, passkeyId }: RemovePasskey): Answer {
  return change(state, userId, (identity) => {
    const passkeys = identity.passkeys.filter((one) => one.passkeyId !== passkeyId);
    if (passkeys.length === identity.passkeys.length) {
      return refused("passkey_not_found", "The account has no such passkey.");
    }
    const isLast = !hasSecondFactor({ ...identity, passkeys });
    return { changed: { passkeys, ...(isLast ? withdrawPause(state) : {}) } };
  });
}

/** Answers how many were taken. */
export function resealIdentities(state: State, { ciphers }: ResealIdentities): Answer {
  const own = identities.of(state);
  let resealed = 0;
  for (const { userId, passwordCipher, totpCipher } of ciphers) {
    const identity = own.byUser.get(userId);
    if (identity === undefined) continue;
    own.set({
      ...identity,
      passwordCipher: passwordCipher ?? identity.passwordCipher,
      totpCipher: totpCipher ?? identity.totpCipher,
    });
    resealed++;
  }
  return accepted({ resealed });
}

const NO_PASSWORD = refused("invalid_command", "A password's hash is not empty.");
const NO_TOTP = refused("second_factor_missing", "The account has no authenticator.");
const WRONG_HASHES = refused("invalid_command", `At most ${RECOVERY_CODES_MAX} hashes of 64 hexadecimal digits.`);

function areHashes(texts: readonly string[]): boolean {
  return texts.length <= RECOVERY_CODES_MAX && texts.every((text) => HASH.test(text));
}

/** Whether a text in small letters is an e-mail address as accounts have them. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARS_MAX && EMAIL.test(text);
}

function refuseEmail(state: State, email: string): Answer | undefined {
  if (!isEmail(email)) {
    const form = `an e-mail address of at most ${EMAIL_CHARS_MAX} characters, in small letters`;
    return refused("invalid_command", `email must be ${form}.`);
  }
  return identities.of(state).withEmail(email) === undefined
    ? undefined
    : refused("email_taken", "There is an account with that e-mail address already.");
}

function enterIdentity(state: State, userId: number, email: string, passwordCipher: string): void {
  const bare = { totpCipher: "", totpStep: 0, recoveryHashes: [], passkeys: [], withdrawFrom: 0 };
  identities.of(state).set({ userId, email, passwordCipher, ...bare, createdAt: state.timeMs });
  emitRareEvent(state, { type: "identity_created", userId });
}

function withdrawPause({ timeMs }: State): Pick<Identity, "withdrawFrom"> {
  return { withdrawFrom: timeMs + WITHDRAW_PAUSE_MS };
}

/**
 * Who has the password of an account without a second factor could give it one of his own, and withdraw. An account
 * that is new has nothing yet that its owner would not know of.
 */
function firstFactorPause(state: State, identity: Identity): Partial<Identity> {
  const isNew = state.timeMs < identity.createdAt + WITHDRAW_PAUSE_MS;
  return isNew || hasSecondFactor(identity) ? {} : withdrawPause(state);
}

/** Changes an identity; with `ending` the sessions of its user end, but for the one to keep. */
function change(
  state: State,
  userId: number,
  changeOf: (identity: Identity) => { readonly changed: Partial<Identity> } | Answer,
  ending?: { readonly keep: number | undefined },
): Answer {
  const own = identities.of(state);
  const identity = own.byUser.get(userId);
  if (identity === undefined) return refused("identity_not_found", "Nobody signs in to this account.");
  const change = changeOf(identity);
  if ("refusal" in change) return change;
  own.set({ ...identity, ...change.changed });
  emitRareEvent(state, { type: "identity_changed", userId });
  if (ending !== undefined) endSessions(state, userId, ending.keep);
  return accepted({ userId });
}
