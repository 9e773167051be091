/** Authenticators: codes that change every half minute, and the recovery codes beside them. */
import { hasSecondFactor, type Identity, identities, isSecondConfirmed } from "../../engine/identity/identities.ts";
import { required, text } from "../admin/field.ts";
import { totpName } from "../auth/sealed.ts";
import { TICKET_CHARS_MAX } from "../auth/tickets.ts";
import { Refused } from "../refused.ts";
import { type SignedIn, submit, type WebCall, type WebVenue, webCall } from "./call.ts";
import { newRecoveryCodes, newTotpSecret, stepOf, totpUri } from "./second-factor.ts";

/**
 * The asker's identity, when what he asks for may be changed: what protects an account is changed only by who has shown
 * it.
 */
export function changeable({ backend }: WebVenue, { session }: SignedIn): Identity | Refused {
  const identity = identities.of(backend.state).byUser.get(session.userId);
  if (identity === undefined) return new Refused("identity_not_found");
  const isShown = !hasSecondFactor(identity) || isSecondConfirmed(session, backend.now());
  return isShown ? identity : new Refused("confirmation_needed");
}

const beginTotp = webCall({
  method: "POST",
  path: "/web/totp",
  needs: "confirmed",
  fields: {},
  serve(venue, asker) {
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const secret = newTotpSecret();
    const ticket = venue.tickets.issue("totp", { userId: identity.userId, secret });
    return { data: { secret, uri: totpUri(secret, identity.email), ticket } };
  },
});

const confirmTotp = webCall({
  method: "POST",
  path: "/web/totp/confirm",
  needs: "confirmed",
  fields: {
    ticket: required(text("TICKET", 1, TICKET_CHARS_MAX), "as it was given"),
    totp: required(text("CODE", 1, 10), "the code that the authenticator shows"),
  },
  async serve(venue, asker, { ticket, totp }) {
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { userId, email } = identity;
    const asked = venue.tickets.read<{ userId: number; secret: string }>("totp", ticket);
    if (asked instanceof Refused) return asked;
    if (asked.userId !== userId) return new Refused("link_invalid");
    const totpStep = stepOf(asked.secret, totp, venue.machineNow());
    if (totpStep === undefined) return new Refused("second_factor_wrong");
    const totpCipher = venue.vault.seal(totpName(userId), asked.secret);
    const { codes, hashes: recoveryHashes } = newRecoveryCodes();
    const set = await submit(venue.backend, { kind: "set_totp", userId, totpCipher, totpStep, recoveryHashes });
    if (set instanceof Refused) return set;
    venue.mails?.notice(email, "Your account has an authenticator from now on.");
    return { data: { recovery_codes: codes } };
  },
});

const recoveryCodes = webCall({
  method: "POST",
  path: "/web/totp/recovery-codes",
  needs: "confirmed",
  fields: {},
  async serve(venue, asker) {
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { codes, hashes: recoveryHashes } = newRecoveryCodes();
    const { userId, email } = identity;
    const set = await submit(venue.backend, { kind: "set_recovery_codes", userId, recoveryHashes });
    if (set instanceof Refused) return set;
    venue.mails?.notice(email, "Your account has new recovery codes; the old ones are worth nothing.");
    return { data: { recovery_codes: codes } };
  },
});

const removeTotp = webCall({
  method: "DELETE",
  path: "/web/totp",
  needs: "confirmed",
  fields: {},
  async serve(venue, asker) {
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const removed = await submit(venue.backend, { kind: "remove_totp", userId: identity.userId });
    if (removed instanceof Refused) return removed;
    venue.mails?.notice(identity.email, "Your account has no authenticator any more.");
    return { data: {} };
  },
});

export const TOTP_CALLS: readonly WebCall[] = [beginTotp, confirmTotp, recoveryCodes, removeTotp];
