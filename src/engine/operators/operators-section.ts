import type { Passkey } from "../identity/passkeys.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { textsOf, type UnitsByCcy, unitsOf } from "../snapshot/units.ts";
import type { State } from "../state.ts";
import type { Approval, Bounds, Enrolment, Operator, Referred } from "./operators.ts";

/** References are written in pieces, so that no text grows beyond what a text can hold. */
const REFERENCES_PER_CHUNK = 100_000;

interface OperatorWords extends Omit<Operator, "limits" | "spent" | "enrolment"> {
  readonly limits: UnitsByCcy | null;
  readonly spent: UnitsByCcy;
  readonly enrolment: Enrolment | null;
}

type BoundsWords = readonly [ccy: string, call: string, day: string, recipient: string];

interface Words {
  readonly operators: readonly OperatorWords[];
  readonly approvals: readonly Approval[];
  readonly nextApprovalId: number;
  readonly nextPasskeyId: number;
  readonly bounds: readonly BoundsWords[];
  readonly isDual: boolean;
  readonly moved: { readonly day: number; readonly byCcy: UnitsByCcy; readonly byRecipient: UnitsByCcy };
}

/** Fields that version 1 lacks: operators had tokens from the beginning, and the bounds of four eyes were a setting. */
const SINCE_1: Pick<Words, "nextPasskeyId" | "bounds" | "isDual" | "moved"> = {
  ...{ nextPasskeyId: 1, bounds: [], isDual: false },
  moved: { day: 0, byCcy: [], byRecipient: [] },
};
const OPERATOR_SINCE_1: Readonly<Pick<OperatorWords, "passkeys" | "enrolment" | "isVouched" | "consentsFrom">> = {
  passkeys: [],
  enrolment: null,
  isVouched: false,
  consentsFrom: 0,
};

/** Operators, what waits for consent, and references in the order of their use. */
export const operatorsSection: Section = {
  name: "operators",
  version: 2,
  write: ({ operators }) => [jsonChunk(wordsOf(operators)), ...referenceChunks([...operators.references])],
  read: (state, [json, ...references]) => {
    const words: Words = { ...SINCE_1, ...(jsonOf(json) as Words) };
    for (const { limits, spent, enrolment, ...operator } of words.operators) {
      state.operators.enter({
        ...OPERATOR_SINCE_1,
        ...operator,
        enrolment: enrolment ?? undefined,
        limits: limits === null ? undefined : unitsOf(limits),
        spent: unitsOf(spent),
      });
    }
    state.operators.bounds = new Map(words.bounds.map(boundsOf));
    state.operators.isDual = words.isDual;
    const { moved } = state.operators;
    moved.day = words.moved.day;
    for (const [ccy, units] of unitsOf(words.moved.byCcy)) moved.byCcy.set(ccy, units);
    for (const [to, units] of unitsOf(words.moved.byRecipient)) moved.byRecipient.set(to, units);
    for (const approval of words.approvals) state.operators.approvals.set(approval.approvalId, approval);
    state.operators.nextApprovalId = words.nextApprovalId;
    state.operators.nextPasskeyId = words.nextPasskeyId;
    for (const chunk of references) {
      for (const [key, referred] of jsonOf(chunk) as [string, Referred][])
        state.operators.references.set(key, referred);
    }
  },
};

function wordsOf(own: State["operators"]): Words {
  const { byName, approvals, nextApprovalId, nextPasskeyId, bounds, isDual, moved } = own;
  const operators = [...byName.values()].map(wordsOfOperator);
  return {
    ...{ operators, approvals: [...approvals.values()], nextApprovalId, nextPasskeyId },
    bounds: Array.from(bounds, ([ccy, { call, day, recipient }]) => [ccy, `${call}`, `${day}`, `${recipient}`]),
    isDual,
    moved: { day: moved.day, byCcy: textsOf(moved.byCcy), byRecipient: textsOf(moved.byRecipient) },
  };
}

/** Field by field: equal operators give equal bytes, wherever they came from. */
function wordsOfOperator(operator: Operator): OperatorWords {
  const { name, role, tokenHash, passkeys, enrolment = null, isVouched, consentsFrom } = operator;
  const { limits, day, spent, createdAt } = operator;
  const own = limits === undefined ? null : textsOf(limits);
  return {
    ...{ name, role, tokenHash, passkeys: passkeys.map(wordsOfPasskey), enrolment, isVouched, consentsFrom },
    ...{ limits: own, day, spent: textsOf(spent), createdAt },
  };
}

function wordsOfPasskey(passkey: Passkey): Passkey {
  const { passkeyId, credentialId, publicKey, counter, transports, name, createdAt, usedAt } = passkey;
  return { passkeyId, credentialId, publicKey, counter, transports, name, createdAt, usedAt };
}

function boundsOf([ccy, call, day, recipient]: BoundsWords): [string, Bounds] {
  return [ccy, { call: BigInt(call), day: BigInt(day), recipient: BigInt(recipient) }];
}

function referenceChunks(references: readonly [string, Referred][]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < references.length; at += REFERENCES_PER_CHUNK) {
    chunks.push(jsonChunk(references.slice(at, at + REFERENCES_PER_CHUNK)));
  }
  return chunks;
}
