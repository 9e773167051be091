import type { Census } from "../part.ts";
import type { State } from "../state.ts";

/**
 * A token and a passkey belong to one operator, who has either a token or not yet, and without it no passkey, nobody
 * has moved less than nothing, and what waits has a number that was given out.
 */
export function checkOperators({ operators }: State, { expect }: Census): void {
  const { byName, byTokenHash, approvals, nextApprovalId, nextPasskeyId, moved } = operators;
  const enrolled = [...byName.values()].filter(({ tokenHash }) => tokenHash !== "");
  expect(enrolled.length === byTokenHash.size, () => `${enrolled.length} operators have ${byTokenHash.size} tokens.`);
  for (const operator of enrolled) {
    const { name, tokenHash, enrolment } = operator;
    expect(byTokenHash.get(tokenHash) === operator, () => `The token of the operator ${name} is another's.`);
    expect(enrolment === undefined, () => `The operator ${name} has a token, and could enrol with a code.`);
  }
  const ids = new Set<string>();
  for (const { name, tokenHash, passkeys } of byName.values()) {
    expect(tokenHash !== "" || passkeys.length === 0, () => `The operator ${name} has passkeys and no token.`);
    for (const { passkeyId, credentialId } of passkeys) {
      expect(!ids.has(credentialId), () => `A passkey of the operator ${name} is another's as well.`);
      expect(passkeyId > 0 && passkeyId < nextPasskeyId, () => `The passkey ${passkeyId} was not given out.`);
      ids.add(credentialId);
    }
  }
  for (const sums of [moved.byCcy, moved.byRecipient]) {
    for (const [what, units] of sums) expect(units >= 0n, () => `${units} units of ${what} were moved today.`);
  }
  for (const [name, operator] of byName) {
    for (const [ccy, units] of operator.spent) {
      expect(units >= 0n, () => `The operator ${name} has moved ${units} units of ${ccy}.`);
    }
  }
  for (const id of approvals.keys()) {
    expect(id > 0 && id < nextApprovalId, () => `The approval ${id} has a number that was not given out.`);
  }
}
