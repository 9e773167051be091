/** Where FNV-1a begins, in 32 bits. */
export const FNV_START = 0x811c9dc5;

/**
 * FNV-1a over the code units of a text, 32 bits, signed. `from`: where it goes on from. Anyone who knows it can choose
 * texts that are alike.
 */
export function fnv1a(text: string, from = FNV_START): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
