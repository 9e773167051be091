import { part } from "../part.ts";
import "./events.ts";
import { IDENTITY_SCHEMAS } from "./command-schemas.ts";
import {
  addPasskey,
  inviteIdentity,
  removePasskey,
  removeTotp,
  resealIdentities,
  resetIdentity,
  setPassword,
  setRecoveryCodes,
  setTotp,
  signUp,
} from "./commands.ts";
import { checkIdentities } from "./identity-invariants.ts";
import { identitySection } from "./identity-section.ts";
import { changeOwnApiKey, createOwnApiKey, deleteOwnApiKey } from "./own-keys.ts";
import { beginSession, confirmSession, endOtherSessions, endSession, sessionsDue, touchSession } from "./sessions.ts";

/** How people sign in: e-mail addresses, second factors, sessions, and the keys that they make themselves. */
export const identity = part({
  name: "identity",
  commandSchemas: IDENTITY_SCHEMAS,
  commands: {
    sign_up: signUp,
    invite_identity: inviteIdentity,
    reset_identity: resetIdentity,
    set_password: setPassword,
    set_totp: setTotp,
    set_recovery_codes: setRecoveryCodes,
    remove_totp: removeTotp,
    add_passkey: addPasskey,
    remove_passkey: removePasskey,
    begin_session: beginSession,
    confirm_session: confirmSession,
    touch_session: touchSession,
    end_session: endSession,
    end_other_sessions: endOtherSessions,
    create_own_api_key: createOwnApiKey,
    change_own_api_key: changeOwnApiKey,
    delete_own_api_key: deleteOwnApiKey,
    reseal_identities: resealIdentities,
  },
  sections: [identitySection],
  check: checkIdentities,
  due: sessionsDue,
});
