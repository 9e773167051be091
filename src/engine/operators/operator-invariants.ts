import type { Census } from "../part.ts";
import type { State } from "../state.ts";

/** A token belongs to one operator, nobody has moved less than nothing, and what waits has a number that was given out. */
export function checkOperators({ operators }: State, { expect }: Census): void {
  const { byName, byTokenHash, approvals, nextApprovalId } = operators;
  expect(byName.size === byTokenHash.size, () => `${byName.size} operators have ${byTokenHash.size} tokens.`);
  for (const [name, operator] of byName) {
    expect(byTokenHash.get(operator.tokenHash) === operator, () => `The token of the operator ${name} is another's.`);
    for (const [ccy, units] of operator.spent) {
      expect(units >= 0n, () => `The operator ${name} has moved ${units} units of ${ccy}.`);
    }
  }
  for (const id of approvals.keys()) {
    expect(id > 0 && id < nextApprovalId, () => `The approval ${id} has a number that was not given out.`);
  }
}
