/**
 * Commands that take two people: which they are, when each of them does, and the handling of those that wait.
 * Source: domain 7.3.
 */

import { ACCOUNT_SCHEMAS } from "../accounts/command-schemas.ts";
import { createApiKey } from "../accounts/commands.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { type CommandSchema, schemaFault } from "../command-schema.ts";
import { CREDIT_SCHEMAS, type GrantCredit } from "../credit/command-schemas.ts";
import { grantCredit } from "../credit/grant.ts";
import { isObject } from "../field.ts";
import { IDENTITY_SCHEMAS } from "../identity/command-schemas.ts";
import { inviteIdentity } from "../identity/commands.ts";
import { parseSignedDecimal } from "../money/decimal.ts";
import { setAssetChain } from "../payments/asset-settings.ts";
import { PAYMENT_SCHEMAS, type ResolveDeposit, type ReviewWithdrawal } from "../payments/command-schemas.ts";
import { payments } from "../payments/payments.ts";
import { resolveDeposit, reviewWithdrawal } from "../payments/review.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { adjust } from "../wallet/adjust.ts";
import { type AdjustBalance, type Deposit, WALLET_SCHEMAS } from "../wallet/command-schemas.ts";
import { deposit } from "../wallet/deposit.ts";
import { isInForce, isProgram, refuseAsker, refuseConsenter, refuseRole } from "./authority.ts";
import {
  type ChangeOperator,
  type Decide,
  type DeleteOperator,
  OPERATOR_SCHEMAS,
  type Propose,
} from "./command-schemas.ts";
import { changeOperator, createOperator, deleteOperator, resetOperator, type SecondCode } from "./commands.ts";
import { countMove, isAboveBounds, type Move, setFourEyes } from "./four-eyes.ts";
import type { ProposedCommand } from "./operators.ts";
import { otherContent, plainAmount } from "./references.ts";

const APPROVALS_MAX = 1_000;
/** So that nobody fills the list for the others. */
const APPROVALS_PER_OPERATOR_MAX = 100;

/** Money that a command moves, a change of who may do what, or neither. */
type Weight = Move | "change" | undefined;

interface Guarded {
  readonly schema: CommandSchema;
  carryOut(state: State, command: object, second?: SecondCode): Answer;
  weigh(state: State, command: object): Weight;
}

/** Ties the type of the command to its schema. */
function guarded<Command extends object>(
  schema: CommandSchema,
  carryOut: (state: State, command: Command, second?: SecondCode) => Answer,
  weigh: (state: State, command: Command) => Weight,
): Guarded {
  return { schema, carryOut, weigh } as Guarded;
}

const change = () => "change" as const;

/** All that may wait for consent. */
const GUARDED: Readonly<Record<string, Guarded>> = {
  deposit: guarded(WALLET_SCHEMAS.deposit, deposit, (state, { userId, cell, ccy, amount }: Deposit) =>
    moveOf(state, ccy, amount, userId ?? cell),
  ),
  adjust_balance: guarded(WALLET_SCHEMAS.adjust_balance, adjust, (state, { userId, ccy, amount }: AdjustBalance) =>
    moveOf(state, ccy, amount, userId),
  ),
  grant_credit: guarded(CREDIT_SCHEMAS.grant_credit, grantCredit, (state, { userId, ccy, amount }: GrantCredit) =>
    moveOf(state, ccy, amount, userId),
  ),
  review_withdrawal: guarded(
    PAYMENT_SCHEMAS.review_withdrawal,
    reviewWithdrawal,
    (state, { withdrawId, approve }: ReviewWithdrawal) => {
      const one = approve ? payments.of(state).withdrawals.get(withdrawId) : undefined;
      const asset = state.assets[one?.assetId ?? -1];
      return one && asset && { asset, units: one.amount, recipient: String(one.userId) };
    },
  ),
  resolve_deposit: guarded(
    PAYMENT_SCHEMAS.resolve_deposit,
    resolveDeposit,
    (state, { depositId, assignTo }: ResolveDeposit) => {
      const one = assignTo === undefined ? undefined : payments.of(state).deposits.get(depositId);
      const asset = state.assets[one?.assetId ?? -1];
      return one && asset && { asset, units: one.actualAmount, recipient: String(assignTo) };
    },
  ),
  create_operator: guarded(OPERATOR_SCHEMAS.create_operator, createOperator, change),
  change_operator: guarded(OPERATOR_SCHEMAS.change_operator, changeOperator, (_, { tokenHash }: ChangeOperator) =>
    // His own; another's is refused.
    tokenHash === undefined ? "change" : undefined,
  ),
  reset_operator: guarded(OPERATOR_SCHEMAS.reset_operator, resetOperator, change),
  // Everybody else can be sent away at once: he may be a thief, and can be let in again.
  delete_operator: guarded(
    OPERATOR_SCHEMAS.delete_operator,
    deleteOperator,
    ({ operators }, { name }: DeleteOperator) => (operators.byName.get(name)?.role === "admin" ? "change" : undefined),
  ),
  set_four_eyes: guarded(OPERATOR_SCHEMAS.set_four_eyes, setFourEyes, change),
  // Each of them opens the account of somebody else, or says what counts as money.
  create_api_key: guarded(ACCOUNT_SCHEMAS.create_api_key, createApiKey, change),
  invite_identity: guarded(IDENTITY_SCHEMAS.invite_identity, inviteIdentity, change),
  set_asset_chain: guarded(PAYMENT_SCHEMAS.set_asset_chain, setAssetChain, change),
};

/** Kinds of commands that could wait before rules version 5. */
const PROPOSABLE: ReadonlySet<string> = new Set(
  ["deposit", "adjust_balance", "review_withdrawal", "resolve_deposit"].concat("create_operator", "change_operator"),
);
/** Whose carrying out makes a code of each of the two people. */
export const ENROLLING: ReadonlySet<string> = new Set(["create_operator", "reset_operator"]);

/** Whether commands of this kind may wait for consent. */
export function isGuarded(kind: string): boolean {
  return guardedOf(kind) !== undefined;
}

function guardedOf(kind: unknown): Guarded | undefined {
  return typeof kind === "string" && Object.hasOwn(GUARDED, kind) ? GUARDED[kind] : undefined;
}

/**
 * Decides what becomes of a command that may take two people: refused, kept until another has decided, which answers `{
 * approvalId }`, or carried out and counted. undefined: it is none of these, and the caller carries it out.
 */
export function withFourEyes(state: State, command: Record<string, unknown>): Answer | undefined {
  const guard = holds(state, "authority") ? guardedOf(command.kind) : undefined;
  const { actor } = command as { readonly actor?: string };
  if (guard === undefined || actor === undefined || isProgram(state, actor)) return undefined;
  const weight = guard.weigh(state, command);
  if (weight === undefined) return undefined;
  const needed = weight === "change" ? "change" : "money";
  const wrong = refuseRole(state, actor, needed);
  if (wrong !== undefined) return refused("invalid_command", wrong);
  const repeated = answeredOrWaiting(state, guard, command as unknown as ProposedCommand);
  if (repeated !== undefined) return repeated;
  const takesTwo = weight === "change" ? isInForce(state) : isAboveBounds(state, weight);
  if (takesTwo) {
    const hindrance = refuseAsker(state, actor);
    if (hindrance !== undefined) return refused("invalid_command", hindrance);
    return keep(state, command as unknown as ProposedCommand);
  }
  const answer = guard.carryOut(state, command);
  if (answer.refusal === undefined && weight !== "change") countMove(state, weight);
  return answer;
}

/** Before rules version 5 the gateway decided what takes two, and sent that as a text. */
export function propose(state: State, { command: text, actor = "" }: Propose): Answer {
  const parsed = parsedCommand(text, actor);
  const guard = guardedOf(parsed?.kind);
  if (parsed === undefined || guard === undefined || holds(state, "authority")) {
    return refused("invalid_command", "This command cannot wait for consent.");
  }
  const fault = schemaFault(guard.schema, parsed);
  if (fault !== undefined) return refused("invalid_command", fault);
  return answeredOrWaiting(state, guard, parsed) ?? keep(state, parsed);
}

/** Consents to a command, or drops it. Nobody consents to his own; anyone who proposed one may drop it. */
export function decide(state: State, { approvalId, approve, actor = "", codeHash }: Decide): Answer {
  const { approvals } = state.operators;
  const approval = approvals.get(approvalId);
  if (approval === undefined) return refused("invalid_command", "Nothing waits for consent under that approval_id.");
  if (!approve) {
    approvals.delete(approvalId);
    return accepted({ approvalId });
  }
  const { command } = approval;
  if (approval.actor === actor) {
    return refused("invalid_command", "Another operator must consent than the one who asked.");
  }
  if (holds(state, "authority")) {
    const hindrance = refuseConsenter(state, actor) ?? refuseAsker(state, approval.actor);
    if (hindrance !== undefined) return refused("invalid_command", hindrance);
    if (ENROLLING.has(command.kind) && codeHash === undefined) {
      return refused("invalid_command", "Who consents that an operator is let in gives a code of his own.");
    }
  }
  // What is refused goes on waiting: it may be possible later, or be dropped.
  const answer = (guardedOf(command.kind) as Guarded).carryOut(state, command, codeHash);
  if (answer.refusal !== undefined) return answer;
  approvals.delete(approvalId);
  return accepted({ approvalId, result: answer.result, done: command });
}

/**
 * Returns the earlier answer to a command with a reference, or the number under which it waits; undefined when it is
 * new.
 */
function answeredOrWaiting(state: State, guard: Guarded, command: ProposedCommand): Answer | undefined {
  const { operators } = state;
  const { kind, reference } = command;
  if (reference === undefined) return undefined;
  // Done already: its own check says what came of it, or that the content is another.
  if (operators.references.has(`${kind} ${reference}`)) return guard.carryOut(state, command);
  for (const { approvalId, command: waiting } of operators.approvals.values()) {
    if (waiting.kind !== kind || waiting.reference !== reference) continue;
    return sameWish(waiting, command) ? accepted({ approvalId }) : otherContent(reference);
  }
  return undefined;
}

/** Whether it can be carried out is found when it is. */
function keep(state: State, command: ProposedCommand): Answer {
  const { operators, timeMs } = state;
  const { approvals } = operators;
  const { actor } = command;
  const tooMany = (count: number) =>
    refused("invalid_command", `At most ${count} commands wait for consent; decide on some of them.`);
  if (approvals.size >= APPROVALS_MAX) return tooMany(APPROVALS_MAX);
  if (holds(state, "authority")) {
    const own = [...approvals.values()].filter((approval) => approval.actor === actor).length;
    if (own >= APPROVALS_PER_OPERATOR_MAX) return tooMany(APPROVALS_PER_OPERATOR_MAX);
  }
  const approvalId = operators.nextApprovalId++;
  approvals.set(approvalId, { approvalId, actor, command, createdAt: timeMs });
  return accepted({ approvalId });
}

function moveOf(state: State, ccy: string, amount: string, recipient: number | string | undefined): Weight {
  const asset = state.assetByCcy.get(ccy);
  const units = asset === undefined ? undefined : parseSignedDecimal(amount, asset.scale);
  // What is no amount of a listed currency is refused when it is carried out.
  if (asset === undefined || units === undefined) return undefined;
  return { asset, units: units < 0n ? -units : units, recipient: String(recipient) };
}

function parsedCommand(text: string, actor: string): ProposedCommand | undefined {
  try {
    const command: unknown = JSON.parse(text);
    if (!isObject(command) || !PROPOSABLE.has(String(command.kind))) return undefined;
    return { ...command, kind: String(command.kind), actor };
  } catch {
    return undefined;
  }
}

/** Notes do not count. */
function sameWish(one: ProposedCommand, other: ProposedCommand): boolean {
  const wish = (command: ProposedCommand) => {
    const { amount = "" } = command as { readonly amount?: string };
    return JSON.stringify({ ...command, amount: plainAmount(amount), note: "", actor: "" });
  };
  return wish(one) === wish(other);
}
