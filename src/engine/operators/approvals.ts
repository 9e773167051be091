import { type Answer, accepted, refused } from "../answer.ts";
import { isObject } from "../field.ts";
import { formFault } from "../form.ts";
import { PAYMENT_FORMS, type ResolveDeposit, type ReviewWithdrawal } from "../payments/forms.ts";
import { resolveDeposit, reviewWithdrawal } from "../payments/review.ts";
import type { State } from "../state.ts";
import { adjust } from "../wallet/adjust.ts";
import { deposit } from "../wallet/deposit.ts";
import { type AdjustBalance, type Deposit, WALLET_FORMS } from "../wallet/forms.ts";
import { changeOperator, createOperator } from "./commands.ts";
import { type ChangeOperator, type CreateOperator, type Decide, OPERATOR_FORMS, type Propose } from "./forms.ts";
import type { ProposedCommand } from "./operators.ts";
import { otherContent, plainAmount } from "./references.ts";

const APPROVALS_MAX = 1_000;

/** What may wait for consent, with its form and who carries it out. */
const PROPOSABLE = {
  deposit: { form: WALLET_FORMS.deposit, carryOut: (state: State, one: object) => deposit(state, one as Deposit) },
  adjust_balance: {
    form: WALLET_FORMS.adjust_balance,
    carryOut: (state: State, one: object) => adjust(state, one as AdjustBalance),
  },
  review_withdrawal: {
    form: PAYMENT_FORMS.review_withdrawal,
    carryOut: (state: State, one: object) => reviewWithdrawal(state, one as ReviewWithdrawal),
  },
  resolve_deposit: {
    form: PAYMENT_FORMS.resolve_deposit,
    carryOut: (state: State, one: object) => resolveDeposit(state, one as ResolveDeposit),
  },
  create_operator: {
    form: OPERATOR_FORMS.create_operator,
    carryOut: (state: State, one: object) => createOperator(state, one as CreateOperator),
  },
  change_operator: {
    form: OPERATOR_FORMS.change_operator,
    carryOut: (state: State, one: object) => changeOperator(state, one as ChangeOperator),
  },
} as const;

type Proposable = keyof typeof PROPOSABLE;

/**
 * Keeps a command until another operator has decided. Sent again with its reference it is answered as the first time, or by
 * what came of it. Whether it can be carried out is found when it is.
 */
export function propose(state: State, { command: text, actor = "" }: Propose): Answer {
  const { operators } = state;
  const parsed = parsedCommand(text, actor);
  if (parsed === undefined) return refused("invalid_command", "This command cannot wait for consent.");
  const fault = formFault(PROPOSABLE[parsed.kind as Proposable].form, parsed);
  if (fault !== undefined) return refused("invalid_command", fault);
  const { kind, reference } = parsed;
  if (reference !== undefined) {
    // Done already: its own check says what came of it, or that the content is another.
    if (operators.references.has(`${kind} ${reference}`)) return PROPOSABLE[kind as Proposable].carryOut(state, parsed);
    for (const { approvalId, command } of operators.approvals.values()) {
      if (command.kind !== kind || command.reference !== reference) continue;
      return sameWish(command, parsed) ? accepted({ approvalId }) : otherContent(reference);
    }
  }
  if (operators.approvals.size >= APPROVALS_MAX) {
    return refused("invalid_command", `At most ${APPROVALS_MAX} commands wait for consent; decide on some of them.`);
  }
  const approvalId = operators.nextApprovalId++;
  operators.approvals.set(approvalId, { approvalId, actor, command: parsed, createdAt: state.timeMs });
  return accepted({ approvalId });
}

/** Consents to a command, or drops it. Nobody consents to his own; whoever proposed one may drop it. */
export function decide(state: State, { approvalId, approve, actor }: Decide): Answer {
  const { approvals } = state.operators;
  const approval = approvals.get(approvalId);
  if (approval === undefined) return refused("invalid_command", "Nothing waits for consent under that approval_id.");
  if (!approve) {
    approvals.delete(approvalId);
    return accepted({ approvalId });
  }
  if (approval.actor === actor) {
    return refused("invalid_command", "Another operator must consent than the one who asked.");
  }
  // What is refused goes on waiting: it may be possible later, or be dropped.
  const answer = PROPOSABLE[approval.command.kind as Proposable].carryOut(state, approval.command);
  if (answer.refusal !== undefined) return answer;
  approvals.delete(approvalId);
  return accepted({ approvalId, result: answer.result, done: approval.command });
}

function parsedCommand(text: string, actor: string): ProposedCommand | undefined {
  try {
    const command: unknown = JSON.parse(text);
    if (!isObject(command) || !Object.hasOwn(PROPOSABLE, String(command.kind))) return undefined;
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
