import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { Approval, Operator, Referred } from "./operators.ts";

/** References are written in pieces, so that no text grows beyond what a text can hold. */
const REFERENCES_PER_CHUNK = 100_000;

type Limits = readonly (readonly [ccy: string, units: string])[];

interface OperatorWords extends Omit<Operator, "limits" | "spent"> {
  readonly limits: Limits | null;
  readonly spent: Limits;
}

interface Words {
  readonly operators: readonly OperatorWords[];
  readonly approvals: readonly Approval[];
  readonly nextApprovalId: number;
}

/** Operators, what waits for consent, and references in the order of their use. */
export const operatorsSection: Section = {
  name: "operators",
  version: 1,
  write: ({ operators }) => [jsonChunk(wordsOf(operators)), ...referenceChunks([...operators.references])],
  read: (state, [json, ...references]) => {
    const words = jsonOf(json) as Words;
    for (const { limits, spent, ...operator } of words.operators) {
      const entered = { ...operator, limits: limits === null ? undefined : unitsOf(limits), spent: unitsOf(spent) };
      state.operators.enter(entered);
    }
    for (const approval of words.approvals) state.operators.approvals.set(approval.approvalId, approval);
    state.operators.nextApprovalId = words.nextApprovalId;
    for (const chunk of references) {
      for (const [key, referred] of jsonOf(chunk) as [string, Referred][])
        state.operators.references.set(key, referred);
    }
  },
};

function wordsOf({ byName, approvals, nextApprovalId }: State["operators"]): Words {
  const operators = [...byName.values()].map(({ limits, spent, ...operator }) => ({
    ...operator,
    limits: limits === undefined ? null : textsOf(limits),
    spent: textsOf(spent),
  }));
  return { operators, approvals: [...approvals.values()], nextApprovalId };
}

function referenceChunks(references: readonly [string, Referred][]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < references.length; at += REFERENCES_PER_CHUNK) {
    chunks.push(jsonChunk(references.slice(at, at + REFERENCES_PER_CHUNK)));
  }
  return chunks;
}

function textsOf(units: ReadonlyMap<string, bigint>): Limits {
  return Array.from(units, ([ccy, each]) => [ccy, each.toString()] as const);
}

function unitsOf(texts: Limits): Map<string, bigint> {
  return new Map(texts.map(([ccy, each]) => [ccy, BigInt(each)]));
}
