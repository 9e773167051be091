import type { Asset } from "../../../engine/listing/asset.ts";
import type { State } from "../../../engine/state.ts";
import { invalidArgument, type SocketRefused } from "../../ws/refused.ts";

/** The currencies that a call names, each once; refused when one of them is not listed. */
export function namedAssets(
  { assetByCcy }: Pick<State, "assetByCcy">,
  { currencies }: { readonly currencies: readonly string[] },
): readonly Asset[] | SocketRefused {
  const assets: Asset[] = [];
  for (const ccy of new Set(currencies)) {
    const asset = assetByCcy.get(ccy);
    if (asset === undefined) return invalidArgument(`currency ${ccy} is not listed.`);
    assets.push(asset);
  }
  return assets;
}
