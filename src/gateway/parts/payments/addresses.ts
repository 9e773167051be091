/** Where a user is paid: an address of each chain, given at the first request. */
import type { AssetChain } from "../../../engine/listing/forms.ts";
import { addressesOf, memoOf } from "../../../engine/payments/addresses.ts";
import { needsMemo, termsOn } from "../../../engine/payments/chain-terms.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { DepositAddress } from "../../current/types.generated.ts";
import type { Answering } from "../../reading/answering.ts";
import { execute } from "../../reading/execute.ts";
import { Refused } from "../../refused.ts";

interface AddressCall extends Answering {
  readonly caller: { readonly userId: number };
  readonly params: { readonly ccy: string; readonly chain: string };
  answer(record: DepositAddress): void;
}

export function addressHandlers(backend: Backend): Handlers {
  const { state } = backend;
  return {
    "GET /assets/deposit-address": async (call) => {
      const settings = openChain(backend, call.params);
      if (settings instanceof Refused) {
        call.refuse(settings);
        return;
      }
      const present = addressesOf(state, call.caller.userId, settings.chain).at(-1);
      if (present === undefined) await give(backend, call, 0);
      else call.answer({ address: present.address, memo: present.memo });
    },

    "POST /assets/renewal-deposit-address": async (call) => {
      const settings = openChain(backend, call.params);
      if (settings instanceof Refused) {
        call.refuse(settings);
        return;
      }
      await give(backend, call, addressesOf(state, call.caller.userId, settings.chain).length);
    },
  };
}

/** The settings of a currency on a chain that takes deposits. */
function openChain({ state }: Backend, { ccy, chain }: AddressCall["params"]): AssetChain | Refused {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return new Refused("asset_not_found");
  const settings = termsOn(asset, chain)?.settings;
  if (settings === undefined) return new Refused("chain_not_found");
  return settings.depositEnabled ? settings : new Refused("deposits_closed");
}

/** Lets the chain make the address and the venue give it. Where users share one, a memo tells them apart. */
async function give(backend: Backend, call: AddressCall, renewals: number): Promise<void> {
  const { userId } = call.caller;
  const { chain } = call.params;
  const isShared = needsMemo(backend.state, chain);
  const address = await backend.addresses?.addressOf(chain, isShared ? 0 : userId, isShared ? 0 : renewals);
  if (address === undefined) {
    call.refuse("chain_unavailable");
    return;
  }
  const memo = isShared ? memoOf(userId, renewals) : "";
  execute(backend, call, { kind: "assign_address", userId, chain, renewals, address, memo }, ({ result }) =>
    call.answer(result as DepositAddress),
  );
}
