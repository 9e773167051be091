import { type Answer, accepted, refused } from "../answer.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { type ChangeOperator, type CreateOperator, type DeleteOperator, ROLES, type Role } from "./forms.ts";

/** The operator whose token is a file of the data directory: there from the beginning, an admin, and for ever. */
export const ROOT = "root";

const OPERATORS_MAX = 1_000;
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const TOKEN_HASH = /^[0-9a-f]{64}$/;
/** Names that the log gives to what acts without being a person. */
const RESERVED: ReadonlySet<string> = new Set([ROOT, "admin", "guardian", "venue"]);

export function createOperator(state: State, command: CreateOperator): Answer {
  const { name, role, tokenHash } = command;
  const { operators } = state;
  if (!NAME.test(name)) {
    return refused("invalid_command", "A name has 1 to 32 small letters, digits, _ and -, and begins with a letter.");
  }
  if (RESERVED.has(name) || operators.byName.has(name)) {
    return refused("name_taken", `There is an operator named ${name} already.`);
  }
  if (operators.byName.size >= OPERATORS_MAX) {
    return refused("invalid_command", `A venue has at most ${OPERATORS_MAX} operators.`);
  }
  const wrong = refuseRole(role) ?? refuseTokenHash(state, tokenHash);
  if (wrong !== undefined) return wrong;
  const limits = limitsOf(state, command.limits);
  if (limits === WRONG_LIMITS) return refuseLimits();
  operators.enter({ name, role, tokenHash, limits, day: 0, spent: new Map(), createdAt: state.timeMs });
  return accepted({ name });
}

export function changeOperator(state: State, command: ChangeOperator): Answer {
  const { name, role, tokenHash } = command;
  const operator = state.operators.byName.get(name);
  if (operator === undefined) return notFound(name);
  const wrong =
    (role === undefined ? undefined : refuseRole(role)) ??
    (tokenHash === undefined ? undefined : refuseTokenHash(state, tokenHash));
  if (wrong !== undefined) return wrong;
  const limits = command.limits === undefined ? operator.limits : limitsOf(state, command.limits);
  if (limits === WRONG_LIMITS) return refuseLimits();

  // Nothing is refused below this line.
  operator.role = role ?? operator.role;
  operator.limits = limits;
  if (tokenHash !== undefined) state.operators.setToken(operator, tokenHash);
  return accepted({ name });
}

/** What it proposed goes on waiting: somebody else may still consent, or drop it. */
export function deleteOperator(state: State, { name }: DeleteOperator): Answer {
  const operator = state.operators.byName.get(name);
  if (operator === undefined) return notFound(name);
  state.operators.leave(operator);
  return accepted({ name });
}

function refuseRole(role: Role): Answer | undefined {
  return ROLES.includes(role) ? undefined : refused("invalid_command", `A role is one of ${ROLES.join(", ")}.`);
}

function refuseTokenHash(state: State, tokenHash: string): Answer | undefined {
  if (!TOKEN_HASH.test(tokenHash)) return refused("invalid_command", "A token's hash has 64 hexadecimal digits.");
  return state.operators.byTokenHash.has(tokenHash) ? refused("name_taken", "That token is in use.") : undefined;
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
