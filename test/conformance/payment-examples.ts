/** Examples of what moves over chains: DSC on ERC20. */
import { addressesOf } from "../../src/engine/payments/addresses.ts";
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import type { ApiUser, ApiVenue } from "../support/served-venue.ts";
import type { Params } from "./stage-orders.ts";

const ON_ERC20 = { ccy: "DSC", chain: "ERC20" };
export const ADDRESS = "0XB0B";
export const TX_ID = "0xdead";

interface Stage {
  readonly venue: ApiVenue;
  readonly caller: ApiUser;
}

/** Gives the caller coins, a deposit on its way, and somewhere to withdraw to. */
export async function openPaymentsStage({ venue, caller }: Stage): Promise<void> {
  const { userId } = caller;
  const allowed = { userId, chain: "ERC20", address: ADDRESS, memo: "", remark: "" };
  await venue.operate({ kind: "allow_withdraw_address", ...allowed });
  await caller.client.read("/v2/assets/deposit-address", ON_ERC20);
  await see({ venue, caller }, TX_ID);
  await withdraw({ venue, caller });
}

/** What each endpoint is called with. */
export const PAYMENT_EXAMPLES: { readonly [Name in EndpointName]?: (stage: Stage) => Params | Promise<Params> } = {
  "GET /assets/deposit-address": () => ON_ERC20,
  "POST /assets/renewal-deposit-address": async (stage) => {
    // Only an address that was used is replaced.
    await see(stage);
    return ON_ERC20;
  },
  "GET /assets/deposit-history": () => ({ ccy: "DSC", tx_id: TX_ID, status: "processing", page: 1, limit: 10 }),
  "POST /assets/withdraw": () => ({
    ...ON_ERC20,
    to_address: ADDRESS.toLowerCase(),
    withdraw_method: "on_chain",
    memo: "",
    amount: "25.5",
    fee_ccy: "DSC",
    extra: { chain_id: "1" },
    remark: "rent",
  }),
  "GET /assets/withdraw": () => ({ ccy: "DSC", withdraw_id: 1, status: "audited", page: 1, limit: 10 }),
  "POST /assets/cancel-withdraw": async (stage) => ({ withdraw_id: await withdraw(stage) }),
  "GET /assets/deposit-withdraw-config": () => ({ ccy: "DSC" }),
};

/** Asks for one; its id. */
export async function withdraw({ caller }: Stage): Promise<number> {
  const wish = { ...ON_ERC20, to_address: ADDRESS, amount: "25" };
  return ((await caller.client.act("/v2/assets/withdraw", wish)) as { withdraw_id: number }).withdraw_id;
}

/** Lets a deposit come to the caller's newest address. */
export async function see({ venue, caller }: Stage, txId?: string): Promise<void> {
  const addresses = addressesOf(venue.engine.state, caller.userId, "ERC20");
  const toAddress = addresses.at(-1)?.address as string;
  const payment = {
    ...ON_ERC20,
    txId: txId ?? `0x${addresses.length}`,
    output: 0,
    toAddress,
    memo: "",
    amount: "100",
    height: 0,
  };
  await venue.operate({ kind: "deposit_seen", ...payment });
}
