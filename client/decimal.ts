/** The little that the client does with decimals; they are texts without sign or exponent, and stay so. */

/** Below 0 where the first is less, above 0 where it is more. Exact, whatever the digits. */
export function compareDecimals(one: string, other: string): number {
  const [whole = "", part = ""] = one.split(".");
  const [otherWhole = "", otherPart = ""] = other.split(".");
  const [digits, otherDigits] = [whole.replace(/^0+/, ""), otherWhole.replace(/^0+/, "")];
  if (digits.length !== otherDigits.length) return digits.length - otherDigits.length;
  if (digits !== otherDigits) return digits < otherDigits ? -1 : 1;
  const length = Math.max(part.length, otherPart.length);
  const [places, otherPlaces] = [part.padEnd(length, "0"), otherPart.padEnd(length, "0")];
  if (places === otherPlaces) return 0;
  return places < otherPlaces ? -1 : 1;
}

export function isZero(decimal: string): boolean {
  return /^0*(\.0*)?$/.test(decimal);
}
