/** Where keys may withdraw to, how much in a day, and how assets move in and out. */

import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { isChain } from "../../../engine/payments/chain-terms.ts";
import { payments } from "../../../engine/payments/payments.ts";
import type { AllowedAddress } from "../../../engine/payments/withdraw-address.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, type Form, flag, optional, required, text, userId, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { chainFields, chainOf } from "../listing/listing-calls.ts";

const CCY = text("CCY", 1, 20);

const allow = call({
  method: "POST",
  path: "/admin/withdraw-addresses",
  verbs: { "withdraw-address create": "Let the keys of a user withdraw to an address, or to another user." },
  fields: {
    user_id: required(userId, "whose keys"),
    chain: optional(text("CHAIN", 1, 32), "chain of the address; none for another user of the venue"),
    address: required(text("ADDRESS", 1, 256), "the address, or the other user's id or name"),
    memo: optional(text("TEXT", 0, 128), "with this memo only; with any unless given"),
    remark: optional(text("TEXT", 0, 256), "a note"),
  },
  mayBy: () => ["treasurer"],
  serve: async (backend, { user_id, chain, address: given, memo, remark }) => {
    const { addresses, state } = backend;
    let address: string | undefined = given;
    // Of a chain that no asset moves on nobody can say what its addresses are: the engine refuses the chain.
    if (chain !== undefined && addresses !== undefined && isChain(state, chain)) {
      if (!(await addresses.opened(chain))) return invalidParameter(notAtWork(chain));
      address = addresses.normalized(chain, given);
    }
    if (address === undefined) return invalidParameter(`address is no address of a chain ${chain}.`);
    return execute(
      backend,
      {
        kind: "allow_withdraw_address",
        userId: user_id,
        chain: chain ?? "",
        address,
        memo: memo ?? "",
        remark: remark ?? "",
      },
      (result) => ({ address_id: (result as { addressId: number }).addressId }),
    );
  },
});

function notAtWork(chain: string): string {
  return (
    `The chain ${chain} is not at work, so nobody can say whether this is an address of it: name its nodes in the ` +
    "setting chains, or ask again when they answer."
  );
}

const listAllowed = call({
  method: "GET",
  path: "/admin/withdraw-addresses",
  verbs: { "withdraw-address list": "Show where keys may withdraw to." },
  fields: {
    user_id: optional(userId, "those of this user"),
    chain: optional(text("CHAIN", 1, 32), "of this chain"),
    ...pageFields,
  },
  serve: ({ state }, values) => {
    const { allowed, allowedOf } = payments.of(state);
    const { user_id, chain } = values;
    const all = user_id === undefined ? [...allowed.values()] : (allowedOf.get(user_id) ?? []);
    const fitting = all.filter((one) => chain === undefined || one.chain === chain);
    return pageOf("withdraw_addresses", fitting, values, allowedRow);
  },
});

function allowedRow({ addressId, userId: user_id, createdAt, ...one }: AllowedAddress): object {
  return { address_id: addressId, user_id, ...one, created_at: createdAt };
}

const forbid = call({
  method: "DELETE",
  path: "/admin/withdraw-addresses/ADDRESS_ID",
  verbs: { "withdraw-address delete": "Take an address off the list; what was asked for before goes on." },
  fields: { address_id: required(whole("ADDRESS_ID", 1, Number.MAX_SAFE_INTEGER), "the address") },
  mayBy: () => ["treasurer", "support"],
  serve: (backend, { address_id }) =>
    execute(backend, { kind: "forbid_withdraw_address", addressId: address_id }, () => ({ address_id })),
});

const amountForm = decimal("AMOUNT");
const amountOrNone: Form<string | "none"> = {
  ...amountForm,
  values: "AMOUNT|none",
  expected: `${amountForm.expected}, or none`,
  check: (raw, names) => (raw === "none" ? "none" : amountForm.check(raw, names)),
};

const setLimit = call({
  method: "POST",
  path: "/admin/withdraw-limits",
  verbs: { "withdraw-limit set": "Say how much of a currency a user may withdraw in a day (UTC)." },
  fields: {
    ccy: required(CCY, "the currency"),
    amount: required(amountOrNone, "so much a day; none lifts the limit"),
    user_id: optional(userId, "this user, before what holds for all; every user unless given"),
  },
  serve: (backend, { ccy, amount, user_id }) =>
    execute(
      backend,
      { kind: "set_withdraw_limit", userId: user_id, ccy, amount: amount === "none" ? null : amount },
      () => ({ ccy, amount }),
    ),
});

const listLimits = call({
  method: "GET",
  path: "/admin/withdraw-limits",
  verbs: { "withdraw-limit list": "Show how much may be withdrawn in a day." },
  fields: { user_id: optional(userId, "this user's own"), ...pageFields },
  serve: ({ state }, values) => pageOf("withdraw_limits", limitsIn(state, values.user_id), values, (row) => row),
});

function limitsIn(state: State, userId: number | undefined): object[] {
  const { limits, limitsOf } = payments.of(state);
  const rows = (user_id: number | null, of: ReadonlyMap<string, bigint>) =>
    Array.from(of, ([ccy, units]) => {
      const { scale } = state.assetByCcy.get(ccy) as Asset;
      return { user_id, ccy, amount: formatDecimal(units, scale) };
    });
  if (userId !== undefined) return rows(userId, limitsOf.get(userId) ?? new Map());
  return [...rows(null, limits), ...[...limitsOf].flatMap(([id, of]) => rows(id, of))];
}

const setChain = call({
  method: "POST",
  path: "/admin/asset-chains",
  verbs: { "asset chain": "Open a chain to an asset, or change how the asset moves on it: what is not given stays." },
  fields: { ccy: required(CCY, "the asset"), ...chainFields },
  takesTwo: true,
  serve: (backend, { ccy, ...values }) => {
    const asset = backend.state.assetByCcy.get(ccy);
    if (asset === undefined) return new Refused("asset_not_found", `The asset ${ccy} is not listed.`);
    const known = asset.chains.find(({ chain }) => chain === values.chain);
    const settings = chainOf(values, asset.scale, known);
    return execute(backend, { kind: "set_asset_chain", ccy, settings }, (result) => result as object);
  },
});

const setInterTransfer = call({
  method: "POST",
  path: "/admin/inter-transfers",
  verbs: { "asset inter-transfer": "Open or close transfers of an asset between users." },
  fields: { ccy: required(CCY, "the asset"), enabled: required(flag, "true opens them") },
  serve: (backend, { ccy, enabled }) =>
    execute(backend, { kind: "set_inter_transfer", ccy, enabled }, () => ({ ccy, enabled })),
});

export const WITHDRAW_ADDRESS_CALLS: readonly AdminCall[] = [
  allow,
  listAllowed,
  forbid,
  setLimit,
  listLimits,
  setChain,
  setInterTransfer,
];
