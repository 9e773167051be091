/** Those who run the venue: let in, changed, reset and sent away; and what takes two of them. */
import type { Passkey } from "../../../engine/identity/passkeys.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { isInForce, ROOT, refuseConsenter } from "../../../engine/operators/authority.ts";
import { ROLES } from "../../../engine/operators/command-schemas.ts";
import { opensEnrolment } from "../../../engine/operators/commands.ts";
import { boundText } from "../../../engine/operators/four-eyes.ts";
import type { Operator } from "../../../engine/operators/operators.ts";
import type { State } from "../../../engine/state.ts";
import type { AdminBackend } from "../../admin/backend.ts";
import { type AdminAnswer, type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, type Form, listOf, oneOf, optional, records, required, text, whole } from "../../admin/field.ts";
import { tokenHashOf } from "../../auth/web-sessions.ts";
import { Refused } from "../../refused.ts";
import { isObject } from "../../request/value.ts";

const LIMITS_MAX = 100;
const BOUNDS_MAX = 100;

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
  verbs: {
    "operator create":
      "Let an operator in, who enrols with the code that is shown, and then has a token that nobody else knows.",
  },
  fields: {
    name: required(operatorName, "unique name, small letters, digits, _ and -"),
    role: required(oneOf(ROLES), "what it may do"),
    limits: optional(limitsForm, LIMITS_MEANING),
  },
  takesTwo: true,
  serve: (backend, { name, role, limits }) =>
    withCode(backend, (codeHash) =>
      execute(backend, { kind: "create_operator", name, role, limits, codeHash }, () => ({ name, role })),
    ),
});

const resetOperator = call({
  method: "POST",
  path: "/admin/operators/NAME/reset",
  verbs: { "operator reset": "End the token of an operator, who enrols again, and consents to nothing for 24 hours." },
  fields: { name: required(operatorName, "the operator") },
  takesTwo: true,
  serve: (backend, { name }) =>
    withCode(backend, (codeHash) => execute(backend, { kind: "reset_operator", name, codeHash }, () => ({ name }))),
});

/** Gives along with the answer a code whose hash goes into the log. */
async function withCode(
  backend: AdminBackend,
  submit: (codeHash: string) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const code = backend.vault.newToken();
  const answer = await submit(tokenHashOf(code));
  return answer instanceof Refused ? answer : { ...answer, enrolment: code };
}

const enrol = call({
  method: "POST",
  path: "/admin/enrolment",
  verbs: {
    "operator enrol": "Take one's place as an operator with the codes that one was given; the token is shown once.",
  },
  fields: {
    name: required(operatorName, "one's name as an operator"),
    codes: required(listOf(text("CODE", 1, 128), 2), "the code, or both where two people let one in"),
  },
  isOpen: true,
  mayBy: () => ROLES,
  serve(backend, { name, codes }) {
    const codeHashes = codes.map(tokenHashOf);
    const { operators, timeMs } = backend.state;
    // What opens nothing does not reach the log.
    if (!opensEnrolment(operators.byName.get(name)?.enrolment, codeHashes, timeMs)) return CODES_UNKNOWN;
    const token = backend.vault.newToken();
    const own = { ...backend, operator: { name, role: "viewer" } } as const;
    const command = { kind: "enrol_operator", name, codeHashes, tokenHash: tokenHashOf(token) } as const;
    return execute(own, command, () => ({ name, token }));
  },
});

const CODES_UNKNOWN = new Refused(
  "access_id_unknown",
  "No operator of this name enrols with these codes now. Codes serve once and for four days; where two people " +
    "let you in you need the code of each.",
);

const changeOperator = call({
  method: "POST",
  path: "/admin/operators/NAME",
  verbs: { "operator change": "Give an operator another role or other limits, which count at once." },
  fields: {
    name: required(operatorName, "the operator"),
    role: optional(oneOf(ROLES), "what it may do"),
    limits: optional(limitsForm, `${LIMITS_MEANING}; an empty list lifts them`),
  },
  takesTwo: true,
  serve: (backend, { name, role, limits }) =>
    execute(backend, { kind: "change_operator", name, role, limits }, () => ({ name })),
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
      {
        ...{ name: ROOT, role: "admin", limits: null, created_at: null },
        ...{ enrolled: true, may_consent: refuseConsenter(state, ROOT) === undefined },
      },
      ...Array.from(state.operators.byName.values(), (operator) => operatorRow(state, operator)),
    ],
  }),
});

function operatorRow(state: State, { name, role, limits, tokenHash, createdAt }: Operator): object {
  const { assetByCcy } = state;
  const rows =
    limits &&
    Array.from(limits, ([ccy, units]) => ({ ccy, amount: formatDecimal(units, assetByCcy.get(ccy)?.scale ?? 0) }));
  const mayConsent = refuseConsenter(state, name) === undefined;
  return {
    ...{ name, role, limits: rows ?? null, created_at: createdAt },
    ...{ enrolled: tokenHash !== "", may_consent: mayConsent },
  };
}

const rotateToken = call({
  method: "POST",
  path: "/admin/operator-tokens",
  verbs: { "operator rotate": "Give oneself another token; the old one ends at once." },
  fields: { name: optional(operatorName, "oneself: nobody gives another one a token") },
  mayBy: () => ROLES,
  serve(backend, { name = backend.operator.name }) {
    if (name !== backend.operator.name) return NOT_ONES_OWN;
    // A file, which no command changes; who has done it stands in the log all the same.
    if (name === ROOT) {
      const text = "the token of root is replaced";
      return execute(backend, { kind: "note", text }, () => ({ name, token: backend.rootToken.rotate() }));
    }
    const token = backend.vault.newToken();
    return execute(backend, { kind: "change_operator", name, tokenHash: tokenHashOf(token) }, () => ({ name, token }));
  },
});

const NOT_ONES_OWN = new Refused(
  "permission_missing",
  "A token is its operator's own: whoever has lost his is reset, and enrols again.",
);

const listPasskeys = call({
  method: "GET",
  path: "/admin/passkeys",
  verbs: { "passkey list": "Show one's own passkeys, which sign in to the console." },
  fields: {},
  serve: ({ state, operator }) => ({
    passkeys: (state.operators.byName.get(operator.name)?.passkeys ?? []).map(passkeyRow),
  }),
});

function passkeyRow({ passkeyId, name, createdAt, usedAt }: Passkey): object {
  return { passkey_id: passkeyId, name, created_at: createdAt, used_at: usedAt === 0 ? null : usedAt };
}

const deletePasskey = call({
  method: "DELETE",
  path: "/admin/passkeys/PASSKEY_ID",
  verbs: { "passkey delete": "Take a passkey of one's own off; sessions that it began end at once." },
  fields: { passkey_id: required(whole("PASSKEY_ID", 1, Number.MAX_SAFE_INTEGER), "a passkey of one's own") },
  mayBy: () => ROLES,
  serve: (backend, { passkey_id: passkeyId }) =>
    execute(backend, { kind: "remove_operator_passkey", passkeyId }, () => ({ passkey_id: passkeyId })),
});

const setFourEyes = call({
  method: "POST",
  path: "/admin/four-eyes",
  verbs: { "four-eyes set": "Replace the amounts above which money moves only with the consent of a second operator." },
  fields: {
    bounds: required(
      records(
        {
          ccy: required(text("CCY", 1, 20), "currency"),
          call: required(decimal("AMOUNT"), "in one call"),
          day: optional(decimal("AMOUNT"), "in a day (UTC), whoever moves it; five times call unless given"),
          recipient: optional(decimal("AMOUNT"), "in a day to one user or cell; as call unless given"),
        },
        BOUNDS_MAX,
      ),
      "all bounds from now on; an empty list takes them all off",
    ),
  },
  takesTwo: true,
  serve: (backend, { bounds }) =>
    execute(backend, { kind: "set_four_eyes", bounds }, (_, { state }) => fourEyesOf(state)),
});

const showFourEyes = call({
  method: "GET",
  path: "/admin/four-eyes",
  verbs: { "four-eyes show": "Show the bounds, and whether changes of operators take two." },
  fields: {},
  serve: ({ state }) => fourEyesOf(state),
});

function fourEyesOf(state: State): object {
  const { bounds, isDual } = state.operators;
  return {
    bounds: Array.from(bounds, ([ccy, { call: each, day, recipient }]) => ({
      ...{ ccy, call: boundText(each), day: boundText(day), recipient: boundText(recipient) },
    })),
    changes_take_two: isInForce(state),
    root_counts: !isDual,
  };
}

export const OPERATOR_CALLS: readonly AdminCall[] = [
  createOperator,
  resetOperator,
  enrol,
  changeOperator,
  deleteOperator,
  listOperators,
  rotateToken,
  listPasskeys,
  deletePasskey,
  setFourEyes,
  showFourEyes,
];
