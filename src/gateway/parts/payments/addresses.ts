/** Where a user is paid: an address of each chain, given at the first request. */
import type { AssetChain } from "../../../engine/listing/command-schemas.ts";
import { addressesOf, memoOf } from "../../../engine/payments/addresses.ts";
import { needsMemo, termsOn } from "../../../engine/payments/chain-terms.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Answering } from "../../reading/answering.ts";
import { execute } from "../../reading/execute.ts";
import { Refused } from "../../refused.ts";

/** An address of a chain, with the memo that tells users of a shared one apart. */
interface Given {
  readonly address: string;
  readonly memo: string;
}

interface AddressCall extends Answering {
  readonly caller: { readonly userId: number };
}

/** The currency and the chain that an address is asked for. */
interface Asked {
  readonly ccy: string;
  readonly chain: string;
}

export function addressHandlers(backend: Backend): Handlers {
  return {
    "GET /assets/deposit-address": (call) =>
      presentAddress(backend, call, call.params, ({ address, memo }) => call.answer({ address, memo })),
    "POST /assets/renewal-deposit-address": (call) =>
      renewAddress(backend, call, call.params, ({ address, memo }) => call.answer({ address, memo })),
  };
}

/** Goes on with the address that the caller is paid at, which is given at the first request; or refuses. */
export async function presentAddress(
  backend: Backend,
  call: AddressCall,
  asked: Asked,
  goOn: (given: Given) => void,
): Promise<void> {
  const settings = openChain(backend, asked);
  if (settings instanceof Refused) {
    call.refuse(settings);
    return;
  }
  const present = addressesOf(backend.state, call.caller.userId, settings.chain).at(-1);
  if (present === undefined) await give(backend, call, settings.chain, 0, goOn);
  else goOn(present);
}

/** As `presentAddress`, with another address in the place of one that has been used. */
export async function renewAddress(
  backend: Backend,
  call: AddressCall,
  asked: Asked,
  goOn: (given: Given) => void,
): Promise<void> {
  const settings = openChain(backend, asked);
  if (settings instanceof Refused) {
    call.refuse(settings);
    return;
  }
  const { chain } = settings;
  await give(backend, call, chain, addressesOf(backend.state, call.caller.userId, chain).length, goOn);
}

/** The settings of a currency on a chain that takes deposits. */
function openChain({ state }: Backend, { ccy, chain }: Asked): AssetChain | Refused {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return new Refused("asset_not_found");
  const settings = termsOn(asset, chain)?.settings;
  if (settings === undefined) return new Refused("chain_not_found");
  return settings.depositEnabled ? settings : new Refused("deposits_closed");
}

/** Has the chain make the address and the venue assign it. Where users share one, a memo tells them apart. */
async function give(
  backend: Backend,
  call: AddressCall,
  chain: string,
  renewals: number,
  goOn: (given: Given) => void,
): Promise<void> {
  const { userId } = call.caller;
  const isShared = needsMemo(backend.state, chain);
  const address = await backend.addresses?.addressOf(chain, isShared ? 0 : userId, isShared ? 0 : renewals);
  if (address === undefined) {
    call.refuse("chain_unavailable");
    return;
  }
  const memo = isShared ? memoOf(userId, renewals) : "";
  execute(backend, call, { kind: "assign_address", userId, chain, renewals, address, memo }, ({ result }) =>
    goOn(result as Given),
  );
}
