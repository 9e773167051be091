/** Passkeys of operators: each his own, for the console, as long as his token is what it was. Source: domain 7.3. */
import { type Answer, accepted, refused } from "../answer.ts";
import { isUsedUp, PASSKEYS_MAX, refusePasskey } from "../identity/passkeys.ts";
import type { State } from "../state.ts";
import type { AddOperatorPasskey, RemoveOperatorPasskey, UseOperatorPasskey } from "./command-schemas.ts";
import type { Operator } from "./operators.ts";

/** Nobody adds one to another's name: it would be a second token of that operator. */
export function addOperatorPasskey(state: State, command: AddOperatorPasskey): Answer {
  const { credentialId, publicKey, counter, transports, name } = command;
  const { operators } = state;
  const operator = enrolled(state, command.actor);
  if (operator === undefined) return NOT_ENROLLED;
  const wrong = refusePasskey(command);
  if (wrong !== undefined) return wrong;
  if (operators.withCredential(credentialId) !== undefined) return refused("name_taken", "That passkey is in use.");
  if (operator.passkeys.length >= PASSKEYS_MAX) {
    return refused("too_many_passkeys", `An operator has at most ${PASSKEYS_MAX} passkeys.`);
  }

  // Nothing is refused below this line.
  const passkeyId = operators.nextPasskeyId++;
  const times = { createdAt: state.timeMs, usedAt: 0 };
  const added = { passkeyId, credentialId, publicKey, counter, transports: [...transports], name, ...times };
  operator.passkeys = [...operator.passkeys, added];
  return accepted({ passkeyId });
}

export function removeOperatorPasskey(state: State, { passkeyId, actor }: RemoveOperatorPasskey): Answer {
  const operator = enrolled(state, actor);
  if (operator === undefined) return NOT_ENROLLED;
  const left = operator.passkeys.filter((one) => one.passkeyId !== passkeyId);
  if (left.length === operator.passkeys.length) return NO_SUCH_PASSKEY;
  operator.passkeys = left;
  return accepted({ passkeyId });
}

export function useOperatorPasskey(state: State, { credentialId, counter, actor }: UseOperatorPasskey): Answer {
  const operator = enrolled(state, actor);
  const passkey = operator?.passkeys.find((one) => one.credentialId === credentialId);
  if (operator === undefined || passkey === undefined) return NO_SUCH_PASSKEY;
  if (isUsedUp(passkey, counter)) {
    return refused("second_factor_wrong", "The passkey was used before, perhaps by a copy of it.");
  }
  const used = { ...passkey, counter, usedAt: state.timeMs };
  operator.passkeys = operator.passkeys.map((one) => (one === passkey ? used : one));
  return accepted({ passkeyId: passkey.passkeyId });
}

const NO_SUCH_PASSKEY = refused("passkey_not_found", "The operator has no such passkey.");
const NOT_ENROLLED = refused(
  "invalid_command",
  "Only an operator who has enrolled has passkeys: root has none, since its token is a file.",
);

function enrolled({ operators }: State, actor: string | undefined): Operator | undefined {
  const operator = operators.byName.get(actor ?? "");
  return operator?.tokenHash === "" ? undefined : operator;
}
