import type { Asset } from "../../../engine/listing/asset.ts";
import type { State } from "../../../engine/state.ts";

/** The currencies that a call names, each once; undefined when one of them is not listed. */
export function namedAssets(
  { assetByCcy }: Pick<State, "assetByCcy">,
  { currencies }: { readonly currencies: readonly string[] },
): readonly Asset[] | undefined {
  const assets = [...new Set(currencies)].map((ccy) => assetByCcy.get(ccy));
  return assets.includes(undefined) ? undefined : (assets as readonly Asset[]);
}
