import { type Answer, accepted, refused } from "../answer.ts";
import { parseDecimal } from "../money/decimal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { CONSENT_WAIT_MS, isInForce, PROGRAM, ROOT, settleAuthority, vouchedAdminsBut } from "./authority.ts";
import {
  type ChangeOperator,
  type CreateOperator,
  type DeleteOperator,
  type EnrolOperator,
  type ResetOperator,
  ROLES,
  type Role,
} from "./command-schemas.ts";

const OPERATORS_MAX = 1_000;
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const HASH = /^[0-9a-f]{64}$/;
/** A long weekend. An operator who was let in and does not come is let in again. */
const ENROLMENT_MS = 4 * 24 * 3_600_000;

/** The second code, of the person who consented. */
export type SecondCode = string | undefined;

export function createOperator(state: State, command: CreateOperator, second?: SecondCode): Answer {
  const { name, role } = command;
  const { operators } = state;
  const isEnrolling = holds(state, "authority");
  if (!NAME.test(name)) {
    return refused("invalid_command", "A name has 1 to 32 small letters, digits, _ and -, and begins with a letter.");
  }
  if (isReserved(name, isEnrolling) || operators.byName.has(name)) {
    return refused("name_taken", `There is an operator named ${name} already.`);
  }
  if (operators.byName.size >= OPERATORS_MAX) {
    return refused("invalid_command", `A venue has at most ${OPERATORS_MAX} operators.`);
  }
  const { tokenHash = "", codeHash = "" } = command;
  const wrong =
    refuseUnknownRole(role) ?? (isEnrolling ? refuseCodes(command, second) : refuseTokenHash(state, tokenHash));
  if (wrong !== undefined) return wrong;
  const limits = limitsOf(state, command.limits);
  if (limits === WRONG_LIMITS) return refuseLimits();
  operators.enter({
    name,
    role,
    tokenHash: isEnrolling ? "" : tokenHash,
    passkeys: [],
    enrolment: isEnrolling ? enrolmentOf(state, codeHash, second, false) : undefined,
    isVouched: false,
    consentsFrom: 0,
    limits,
    day: 0,
    spent: new Map(),
    createdAt: state.timeMs,
  });
  return accepted({ name });
}

export function changeOperator(state: State, command: ChangeOperator): Answer {
  const { name, role, tokenHash } = command;
  const operator = state.operators.byName.get(name);
  if (operator === undefined) return notFound(name);
  const wrong =
    (role === undefined ? undefined : refuseUnknownRole(role)) ??
    (tokenHash === undefined ? undefined : (refuseOthersToken(state, command) ?? refuseTokenHash(state, tokenHash))) ??
    (role === undefined || role === operator.role ? undefined : refuseLastAdmins(state, name));
  if (wrong !== undefined) return wrong;
  const limits = command.limits === undefined ? operator.limits : limitsOf(state, command.limits);
  if (limits === WRONG_LIMITS) return refuseLimits();

  // Nothing is refused below this line.
  operator.role = role ?? operator.role;
  operator.limits = limits;
  if (tokenHash !== undefined) state.operators.setToken(operator, tokenHash);
  return accepted({ name });
}

/** The token ends, and what he asked for with it. */
export function resetOperator(state: State, command: ResetOperator, second?: SecondCode): Answer {
  const { name, codeHash } = command;
  const { operators } = state;
  const operator = operators.byName.get(name);
  if (operator === undefined) return notFound(name);
  const wrong = refuseCodes(command, second);
  if (wrong !== undefined) return wrong;

  // Nothing is refused below this line.
  operators.setToken(operator, "");
  operator.isVouched = false;
  operator.enrolment = enrolmentOf(state, codeHash, second, true);
  operators.dropApprovalsOf(name);
  return accepted({ name });
}

/** Anyone who has all the codes takes his place with a token of his own. */
export function enrolOperator(state: State, command: EnrolOperator): Answer {
  const { name, codeHashes, tokenHash } = command;
  const operator = state.operators.byName.get(name);
  const enrolment = operator?.enrolment;
  if (operator === undefined || !opensEnrolment(enrolment, codeHashes, state.timeMs)) return NO_ENROLMENT;
  const wrong = refuseTokenHash(state, tokenHash);
  if (wrong !== undefined) return wrong;

  // Nothing is refused below this line.
  const wasInForce = isInForce(state);
  state.operators.setToken(operator, tokenHash);
  operator.enrolment = undefined;
  operator.isVouched = enrolment.codeHashes.length >= 2;
  operator.consentsFrom = wasInForce || enrolment.isReset ? state.timeMs + CONSENT_WAIT_MS : state.timeMs;
  settleAuthority(state, wasInForce);
  return accepted({ name });
}

/** Whether these are all the codes of an enrolment that has not lapsed. */
export function opensEnrolment(
  enrolment: { readonly codeHashes: readonly string[]; readonly until: number } | undefined,
  codeHashes: readonly string[],
  timeMs: number,
): enrolment is NonNullable<typeof enrolment> {
  if (enrolment === undefined || timeMs >= enrolment.until) return false;
  const given = new Set(codeHashes);
  return enrolment.codeHashes.every((one) => given.has(one));
}

/**
 * Removes an operator. Before rules version 5 its proposals go on waiting: somebody else may still consent, or drop
 * them.
 */
export function deleteOperator(state: State, { name }: DeleteOperator): Answer {
  const { operators } = state;
  const operator = operators.byName.get(name);
  if (operator === undefined) return notFound(name);
  const wrong = refuseLastAdmins(state, name);
  if (wrong !== undefined) return wrong;
  operators.leave(operator);
  if (holds(state, "authority")) operators.dropApprovalsOf(name);
  return accepted({ name });
}

export function reopenAuthority({ operators }: State): Answer {
  operators.isDual = false;
  operators.approvals.clear();
  for (const operator of operators.byName.values()) {
    operator.isVouched = false;
    if (operator.role !== "admin") continue;
    operators.setToken(operator, "");
    operator.enrolment = undefined;
  }
  return accepted({});
}

function isReserved(name: string, isEnrolling: boolean): boolean {
  if (name === ROOT) return true;
  return PROGRAM.has(name) && (isEnrolling || name !== "faults");
}

function refuseUnknownRole(role: Role): Answer | undefined {
  return ROLES.includes(role) ? undefined : refused("invalid_command", `A role is one of ${ROLES.join(", ")}.`);
}

function refuseTokenHash(state: State, tokenHash: string): Answer | undefined {
  if (!HASH.test(tokenHash)) return refused("invalid_command", "A token's hash has 64 hexadecimal digits.");
  return state.operators.byTokenHash.has(tokenHash) ? refused("name_taken", "That token is in use.") : undefined;
}

function refuseOthersToken(state: State, { name, actor }: ChangeOperator): Answer | undefined {
  if (!holds(state, "authority") || actor === name) return undefined;
  return refused("invalid_command", "An operator gives only himself another token; whoever has lost his is reset.");
}

function refuseCodes(
  { codeHash = "", tokenHash }: { readonly codeHash?: string | undefined; readonly tokenHash?: string | undefined },
  second: SecondCode,
): Answer | undefined {
  if (tokenHash !== undefined) {
    return refused("invalid_command", "This was asked for under older rules: drop it, and ask for it again.");
  }
  const isSound = HASH.test(codeHash) && (second === undefined || (HASH.test(second) && second !== codeHash));
  return isSound ? undefined : refused("invalid_command", "A code's hash has 64 hexadecimal digits, another for each.");
}

/** Two administrators are left, or nothing that takes two could be done any more. */
function refuseLastAdmins(state: State, name: string): Answer | undefined {
  const { isDual, byName } = state.operators;
  const operator = byName.get(name);
  if (!isDual || operator?.role !== "admin" || !operator.isVouched || vouchedAdminsBut(state, name) >= 2)
    return undefined;
  return refused("invalid_command", `Two administrators must be left: let another one in before ${name} goes.`);
}

const NO_ENROLMENT = refused("invalid_command", "No operator of this name enrols with these codes now.");

function enrolmentOf({ timeMs }: State, first: string, second: SecondCode, isReset: boolean) {
  const codeHashes = second === undefined ? [first] : [first, second];
  return { codeHashes, until: timeMs + ENROLMENT_MS, isReset };
}

const WRONG_LIMITS = Symbol("wrong limits");

/** An empty list stands for no limits. */
function limitsOf(
  state: State,
  limits: CreateOperator["limits"],
): Map<string, bigint> | undefined | typeof WRONG_LIMITS {
  if (limits === undefined || limits.length === 0) return undefined;
  const byCcy = new Map<string, bigint>();
  for (const { ccy, amount } of limits) {
    const asset = state.assetByCcy.get(ccy);
    const units = asset === undefined ? undefined : parseDecimal(amount, asset.scale);
    if (units === undefined) return WRONG_LIMITS;
    byCcy.set(ccy, units);
  }
  return byCcy;
}

function refuseLimits(): Answer {
  return refused("invalid_command", "A limit names a listed currency and an amount of its precision.");
}

function notFound(name: string): Answer {
  const sentence =
    name === ROOT ? "The operator root cannot be changed or deleted." : `There is no operator named ${name}.`;
  return refused("invalid_command", sentence);
}
