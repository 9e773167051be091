/** Those who run the venue: made, changed, given other tokens and sent away. */
import { createHash } from "node:crypto";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { ROOT } from "../../../engine/operators/commands.ts";
import { ROLES } from "../../../engine/operators/forms.ts";
import type { Operator } from "../../../engine/operators/operators.ts";
import type { State } from "../../../engine/state.ts";
import type { AdminVenue } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, type Form, oneOf, optional, records, required, text } from "../../admin/field.ts";
import { executeOrPropose, roleTakesTwo } from "../../admin/four-eyes.ts";
import { Refused } from "../../refused.ts";
import { isObject } from "../../request/value.ts";

const LIMITS_MAX = 100;

const operatorName = text("NAME", 1, 32);

interface Limit {
  readonly ccy: string;
  readonly amount: string;
}

const limitRecords = records(
  { ccy: required(text("CCY", 1, 32), "currency"), amount: required(decimal("AMOUNT"), "so much a day") },
  LIMITS_MAX,
);

/** As a list, {ccy, amount} each, or as an object with amounts by currency. */
const limitsForm: Form<Limit[]> = {
  ...limitRecords,
  values: "ccy=…,amount=…",
  expected: `${limitRecords.expected}, or an object with amounts by currency`,
  check: (raw, names) =>
    limitRecords.check(isObject(raw) ? Object.entries(raw).map(([ccy, amount]) => ({ ccy, amount })) : raw, names),
};

const LIMITS_MEANING =
  "what may be credited and adjusted a day (UTC); nothing but the currencies named; without limits all";

const createOperator = call({
  method: "POST",
  path: "/admin/operators",
  verbs: { "operator create": "Make an operator; the token is shown once." },
  fields: {
    name: required(operatorName, "unique name, small letters, digits, _ and -"),
    role: required(oneOf(ROLES), "what it may do"),
    limits: optional(limitsForm, LIMITS_MEANING),
  },
  async serve(backend, { name, role, limits }) {
    const { token, tokenHash } = newToken(backend);
    const command = { kind: "create_operator", name, role, limits, tokenHash } as const;
    const answer = await executeOrPropose(roleTakesTwo(backend), backend, command, () => ({ name, role }));
    // Where it waits for consent, the token counts from then on.
    return answer instanceof Refused ? answer : { ...answer, token };
  },
});

const changeOperator = call({
  method: "POST",
  path: "/admin/operators/NAME",
  verbs: { "operator change": "Give an operator another role or other limits, which count at once." },
  fields: {
    name: required(operatorName, "the operator"),
    role: optional(oneOf(ROLES), "what it may do"),
    limits: optional(limitsForm, `${LIMITS_MEANING}; an empty list lifts them`),
  },
  serve: (backend, { name, role, limits }) =>
    executeOrPropose(roleTakesTwo(backend), backend, { kind: "change_operator", name, role, limits }, () => ({ name })),
});

const deleteOperator = call({
  method: "DELETE",
  path: "/admin/operators/NAME",
  verbs: { "operator delete": "Delete an operator; its token ends at once." },
  fields: { name: required(operatorName, "the operator") },
  serve: (backend, { name }) => execute(backend, { kind: "delete_operator", name }, () => ({ name })),
});

const listOperators = call({
  method: "GET",
  path: "/admin/operators",
  verbs: { "operator list": "Show the operators with their roles and limits." },
  fields: {},
  serve: ({ state }) => ({
    operators: [
      { name: ROOT, role: "admin", limits: null, created_at: null },
      ...Array.from(state.operators.byName.values(), (operator) => operatorRow(state, operator)),
    ],
  }),
});

function operatorRow({ assetByCcy }: State, { name, role, limits, createdAt }: Operator): object {
  const rows =
    limits &&
    Array.from(limits, ([ccy, units]) => ({ ccy, amount: formatDecimal(units, assetByCcy.get(ccy)?.scale ?? 0) }));
  return { name, role, limits: rows ?? null, created_at: createdAt };
}

const rotateToken = call({
  method: "POST",
  path: "/admin/operator-tokens",
  verbs: { "operator rotate": "Give an operator, or oneself, another token; the old one ends at once." },
  fields: { name: optional(operatorName, "the operator; whoever asks unless given") },
  // Everybody may change his own.
  mayBy: ({ name }) => (name === undefined ? ROLES : []),
  serve(backend, { name = backend.operator.name }) {
    // A file, which no command changes; who has done it stands in the log all the same.
    if (name === ROOT) {
      const text = "the token of root is replaced";
      return execute(backend, { kind: "note", text }, () => ({ name, token: backend.rootToken.rotate() }));
    }
    const { token, tokenHash } = newToken(backend);
    return execute(backend, { kind: "change_operator", name, tokenHash }, () => ({ name, token }));
  },
});

function newToken({ vault }: Pick<AdminVenue, "vault">): { token: string; tokenHash: string } {
  const token = vault.newToken();
  return { token, tokenHash: createHash("sha256").update(token).digest("hex") };
}

export const OPERATOR_CALLS: readonly AdminCall[] = [
  createOperator,
  changeOperator,
  deleteOperator,
  listOperators,
  rotateToken,
];
