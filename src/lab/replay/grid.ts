/** Decimals of a market as whole numbers, and back. */
export interface Grid {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** Lots. */
  readonly minLots: bigint;
}

/** In units of 10^-decimals, what is finer cut off; `exact`: undefined when something would be. */
export function unitsOf(text: string, decimals: number, exact = false): bigint | undefined {
  const [whole = "0", part = ""] = text.split(".");
  if (exact && /[1-9]/.test(part.slice(decimals))) return undefined;
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, "0"));
}

export function textOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
