/**
 * Every text that somebody can set, as far as the checks of the contracts and of the operators' calls let markup
 * through: which of them are kept and shown (planted), and why the others are not. The list is held against the calls
 * by settable-texts.test.ts.
 */
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { Refused } from "../../src/gateway/refused.ts";
import type { ValueRule, Vocabulary } from "../../src/gateway/request/rules.ts";
import { compileValue, WRONG } from "../../src/gateway/request/value.ts";
import { WEB_CALLS } from "../../src/gateway/web/calls.ts";

/** Markup that would become an element, run and be reported by the page's policy. `number` finds it again in a page. */
export function markup(number: number): string {
  return `<img src=x class=xss onerror=ran()>t${number}z`;
}

/** What markup begins with, wherever it is shown as a text. */
export const MARK = "<img src=x class=xss";

/** The shortest that is looked for: what takes it could hold an element. */
const SHORT = "<b class=xss>1";

interface FormLike {
  readonly item?: FormLike;
  readonly fields?: Readonly<Record<string, { readonly form: FormLike }>>;
  check(raw: unknown, names: { userIdOf(name: string): number | undefined }): unknown;
}

/** Every field of every call that changes something whose check takes a text, as `surface METHOD path field`. */
export function settableTexts(text = SHORT): string[] {
  const found: string[] = [];
  const takes = (check: (raw: unknown) => unknown) => {
    const taken = check(text);
    return taken !== WRONG && !(taken instanceof Refused);
  };
  const walk = (at: string, form: FormLike) => {
    if (takes((raw) => form.check(raw, { userIdOf: () => 1 }))) found.push(at);
    if (form.item !== undefined) walk(`${at}[]`, form.item);
    for (const [name, field] of Object.entries(form.fields ?? {})) walk(`${at}.${name}`, field.form);
  };
  for (const [surface, calls] of [
    ["admin", ADMIN_CALLS],
    ["web", WEB_CALLS],
  ] as const) {
    for (const { method, path, fields } of calls) {
      if (method === "GET") continue;
      for (const [name, { form }] of Object.entries(fields)) walk(`${surface} ${method} ${path} ${name}`, form);
    }
  }
  const read = (vocabulary: Vocabulary, at: string, rule: ValueRule) => {
    const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
    const record = vocabulary.records.get(item ?? rule.type);
    if (record !== undefined) for (const field of record.fields) read(vocabulary, `${at}.${field.name}`, field);
    else if (takes(compileValue(vocabulary, { ...rule, type: item ?? rule.type }).check)) found.push(at);
  };
  const current = loadContract();
  const legacy = loadLegacyContract("spot", current);
  for (const [surface, contract] of [
    ["current", current],
    ["legacy", legacy],
  ] as const) {
    for (const { method, path, params } of contract.endpoints) {
      if (method === "GET") continue;
      for (const param of params) read(contract, `${surface} ${method} ${path} ${param.name}`, param as ValueRule);
    }
  }
  return [...new Set(found)].sort();
}

/**
 * What is kept of a text, and shown: the calls that plant it. Each is seen on a page again, unless `hidden` says why
 * not.
 */
export interface Planting {
  /** Settable texts that come to be shown in this one place. */
  readonly fields: readonly string[];
  /** Plants the text. */
  plant(stage: Ground, text: string): Promise<unknown>;
  /** Why no page shows it. */
  readonly hidden?: string;
}

/** The venue as those who plant find it. */
export interface Ground {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by name
  admin(path: string, body?: object): Promise<any>;
  /** As alice, with her key. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by name
  api(path: string, body: object): Promise<any>;
  /** As alice, with the session of her page. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by name
  web(method: string, path: string, body: object): Promise<any>;
}

const CHAIN = "ERC20";
const CHAIN_TERMS = { min_deposit_amount: "1", min_withdraw_amount: "1", withdrawal_fee: "0" };
const RIGHTS = { ip_whitelist: [], trade_enabled: true, withdraw_enabled: false };
const OUTSIDE = `sim${"b".repeat(40)}`;

/** In the order in which they are planted. */
export const PLANTINGS: readonly Planting[] = [
  {
    fields: ["admin POST /admin/users name"],
    plant: ({ admin }, name) => admin("/admin/users", { name }),
  },
  {
    fields: ["admin POST /admin/users reference"],
    plant: ({ admin }, reference) => admin("/admin/users", { name: "with-reference", reference }),
  },
  {
    fields: ["admin POST /admin/users/USER_ID/notes text"],
    plant: ({ admin }, text) => admin("/admin/users/1/notes", { text }),
  },
  {
    fields: ["admin POST /admin/api-keys remark"],
    plant: ({ admin }, remark) => admin("/admin/api-keys", { user_id: "alice", remark }),
  },
  {
    fields: ["admin POST /admin/deposits note"],
    plant: ({ admin }, note) => admin("/admin/deposits", { user_id: "alice", ccy: "USDT", amount: "1", note }),
  },
  {
    fields: ["admin POST /admin/deposits reference"],
    plant: ({ admin }, reference) =>
      admin("/admin/deposits", { user_id: "alice", ccy: "USDT", amount: "1", note: "wire", reference }),
  },
  {
    fields: ["admin POST /admin/adjustments note"],
    plant: ({ admin }, note) => admin("/admin/adjustments", { user_id: "alice", ccy: "USDT", amount: "-1", note }),
  },
  {
    fields: ["admin POST /admin/adjustments reference"],
    plant: ({ admin }, reference) =>
      admin("/admin/adjustments", { user_id: "alice", ccy: "USDT", amount: "-1", note: "why", reference }),
  },
  {
    fields: ["admin POST /admin/assets full_name"],
    plant: ({ admin }, full_name) => admin("/admin/assets", { ccy: "XSSA", scale: 8, full_name }),
  },
  {
    fields: ["admin POST /admin/assets chains.identity", "admin POST /admin/asset-chains identity"],
    plant: ({ admin }, identity) => admin("/admin/asset-chains", { ccy: "USDT", chain: CHAIN, identity }),
    hidden: "the contract of a currency, told to programs",
  },
  {
    fields: ["admin POST /admin/snapshots name"],
    plant: ({ admin }, name) => admin("/admin/snapshots", { name }),
  },
  {
    fields: ["admin POST /admin/cancel-only reason"],
    plant: async ({ admin }, reason) => {
      await admin("/admin/cancel-only", { cancel_only: true, reason });
      await admin("/admin/cancel-only", { cancel_only: false, reason: "a drill" });
    },
  },
  {
    fields: ["admin POST /admin/withdraw-addresses remark"],
    plant: ({ admin }, remark) =>
      admin("/admin/withdraw-addresses", { user_id: "alice", chain: CHAIN, address: OUTSIDE, remark }),
  },
  {
    fields: ["current POST /assets/withdraw remark"],
    plant: ({ api }, remark) =>
      api("/v2/assets/withdraw", {
        ...{ ccy: "USDT", chain: CHAIN, to_address: OUTSIDE, amount: "500", withdraw_method: "on_chain", remark },
      }),
    hidden: "told to programs",
  },
  {
    fields: ["admin POST /admin/withdrawals/WITHDRAW_ID note"],
    plant: ({ admin }, note) => admin("/admin/withdrawals/1", { approve: false, note }),
  },
  {
    fields: ["admin POST /admin/withdrawal-halt reason"],
    plant: ({ admin }, reason) => admin("/admin/withdrawal-halt", { halted: true, reason }),
  },
  {
    fields: ["admin POST /admin/assets chains.memo", "admin POST /admin/asset-chains memo"],
    plant: ({ admin }, memo) => admin("/admin/asset-chains", { ccy: "XSSA", chain: "TAGGED", ...CHAIN_TERMS, memo }),
    hidden: "what a chain calls the memo, told to programs",
  },
  {
    fields: ["admin POST /admin/withdraw-addresses memo", "current POST /assets/withdraw memo"],
    plant: ({ admin }, memo) =>
      admin("/admin/withdraw-addresses", {
        user_id: "alice",
        chain: CHAIN,
        address: OUTSIDE.replaceAll("b", "c"),
        memo,
      }),
  },
  {
    fields: ["admin POST /admin/credit-loans note"],
    plant: async ({ admin }, note) => {
      await admin("/admin/deposits", { cell: "sys:credit_pool", ccy: "USDT", amount: "1000", note: "to lend" });
      await admin("/admin/credit-loans", {
        user_id: "bob",
        ccy: "USDT",
        amount: "5",
        daily_interest_rate: "0.001",
        note,
      });
    },
  },
  {
    fields: ["admin POST /admin/credit-loans reference"],
    plant: ({ admin }, reference) =>
      admin("/admin/credit-loans", {
        user_id: "bob",
        ccy: "USDT",
        amount: "5",
        daily_interest_rate: "0.001",
        note: "a line",
        reference,
      }),
  },
  {
    fields: ["admin POST /admin/credit-repayments note"],
    plant: ({ admin }, note) => admin("/admin/credit-repayments", { user_id: "bob", ccy: "USDT", amount: "1", note }),
  },
  {
    fields: ["admin POST /admin/credit-repayments reference"],
    plant: ({ admin }, reference) =>
      admin("/admin/credit-repayments", { user_id: "bob", ccy: "USDT", amount: "1", reference }),
  },
  {
    fields: ["admin POST /admin/savings note"],
    plant: ({ admin }, note) =>
      admin("/admin/savings", { user_id: "alice", ccy: "USDT", amount: "1", to: "FINANCIAL", note }),
  },
  {
    fields: ["admin POST /admin/agents remark"],
    plant: ({ admin }, remark) =>
      admin("/admin/agents", { user_id: "bob", of_user_id: "alice", rebate_rate: "0.1", remark }),
  },
  {
    fields: ["current POST /account/subs remark"],
    plant: ({ api }, remark) => api("/v2/account/subs", { sub_user_name: "alice-sub", remark }),
    hidden: "told to programs",
  },
  {
    fields: [
      "current POST /account/subs/api remark",
      "current POST /account/subs/edit-api remark",
      "legacy POST /v1/sub_account/auth/api remark",
      "legacy PUT /v1/sub_account/auth/api/{user_auth_id} remark",
    ],
    plant: ({ api }, remark) => api("/v2/account/subs/api", { sub_user_name: "alice-sub", ...RIGHTS, remark }),
  },
  {
    fields: ["web POST /web/keys remark", "web PATCH /web/keys/{api_id} remark"],
    plant: ({ web }, remark) => web("POST", "/web/keys", { permissions: ["read"], remark }),
  },
  {
    fields: ["admin POST /admin/approvals/APPROVAL_ID note"],
    plant: async ({ admin }, note) => {
      const big = { user_id: "bob", ccy: "USDT", amount: "500000", note: "large" };
      const { approval_id } = await admin("/admin/deposits", big);
      await admin(`/admin/approvals/${approval_id}`, { approve: false, note });
    },
  },
];

/** Why the other settable texts put no markup on a page: by the end of their names, the first that fits. */
export const EXCUSED: readonly (readonly [names: RegExp, reason: string])[] = [
  [
    / (?:orders\.|quotes\.|loans\.|limits\.|bounds\.)?(?:market|ccy|fee_ccy|coin_type|fee_asset|amount_asset)$/,
    "names what is listed; see REFUSED",
  ],
  [
    / (?:user_id|main_user_id|assign_to|of_user_id|account|bot|sub_user_name|(?:from|to)_user_name|transfer_account)$/,
    "names a user, and is kept as its number",
  ],
  [/ (?:password|new_password|token|ticket|recovery_code|codes\[\]|totp)$/, "is shown to nobody"],
  [
    /^web POST \/web\/passkeys name$/,
    "needs a device: test/web/terminal-passkey.test.ts and console-passkey.test.ts name theirs so",
  ],
  [/ (?:ip_whitelist|allowed_ips)(?:\[\])?$/, "is no address; see REFUSED"],
  [/[ .]source_id$/, "is told to who sends it, and kept nowhere"],
  [/ (?:chain|smart_contract_name)$/, "names a chain that there is"],
  [
    / (?:base_ccy|quote_ccy|exchange|index_sources\.exchange|sources\.exchange)$/,
    "is a name of a listing; see REFUSED",
  ],
  [
    /^admin (?:POST|DELETE) \/admin\/(?:operators|enrolment|operator-tokens)\S* name$/,
    "names an operator; see REFUSED",
  ],
  [/ (?:code|referred_by|email|level)$/, "is held to a pattern; see REFUSED"],
  [/ (?:to_address|address|coin_address)$/, "is held to the form of addresses of its chain; see REFUSED"],
  [/^admin POST \/admin\/chains\/\S+ (?:memo|drop\[\])$/, "belongs to a simulated chain, and names what is on it"],
  [/ (?:cell|scenario|fault_id|match|access_id|fault|speed|share)$/, "names something that there is; see REFUSED"],
  [/^admin POST \/admin\/backup-checks file$/, "names a backup that there is"],
  [/^admin POST \/admin\/deposits\/DEPOSIT_ID note$/, "stands in the audit trail as other notes do"],
  [/^admin POST \/admin\/alerts\/ALERT_ID\/acknowledge note$/, "becomes a note in the audit trail, which shows others"],
];

/** Calls that would keep markup as a name, and are refused. */
export const REFUSED: readonly (readonly [path: string, body: (text: string) => object])[] = [
  ["/admin/assets", (ccy) => ({ ccy, scale: 8 })],
  ["/admin/markets", (market) => ({ market, base_ccy: "BTC", quote_ccy: "USDT", ...MARKET })],
  [
    "/admin/markets",
    (exchange) => ({
      market: "BTCUSDT",
      base_ccy: "BTC",
      quote_ccy: "USDT",
      ...MARKET,
      index_sources: [{ exchange, weight: "1" }],
    }),
  ],
  ["/admin/operators", (name) => ({ name, role: "viewer" })],
  [
    "/admin/refer-codes",
    (code) => ({ user_id: "alice", code, referrer_rebate_rate: "0.1", referee_rebate_rate: "0.1" }),
  ],
  ["/admin/users", (referred_by) => ({ name: "invited", referred_by })],
  ["/admin/identities", (email) => ({ user_id: "alice", email })],
  ["/admin/identities", (email) => ({ user_id: "alice", email: `a@${email}` })],
  ["/admin/api-keys", (address) => ({ user_id: "alice", ip_whitelist: [address] })],
  ["/admin/withdraw-addresses", (address) => ({ user_id: "alice", chain: "ERC20", address })],
  ["/admin/deposits", (cell) => ({ cell, ccy: "USDT", amount: "1", note: "x" })],
  ["/admin/fee-levels", (level) => ({ level, maker_fee_rate: "0", taker_fee_rate: "0" })],
  ["/admin/faults", (match) => ({ fault: "delay", match, ms: 10 })],
  ["/admin/scenario-runs", (scenario) => ({ scenario })],
  [
    "/admin/maintenance",
    (announce_url) => ({
      scope: ["SPOT"],
      started_at: "2099-01-01T00:00:00Z",
      ended_at: "2099-01-02T00:00:00Z",
      announce_url,
    }),
  ],
  ["/admin/assets", (website_url) => ({ ccy: "NEW", scale: 8, website_url })],
  ["/admin/assets", (white_paper_url) => ({ ccy: "NEW", scale: 8, white_paper_url })],
];

const MARKET = {
  ...{ base_ccy_precision: 6, quote_ccy_precision: 2, min_amount: "0.0001" },
  ...{ maker_fee_rate: "0.001", taker_fee_rate: "0.001" },
};
