/**
 * Addresses of simulated chains: they follow from the chain's seed, in the form of the chain that it stands for
 * (address-forms.ts). Addresses that begin with `sim` are taken on all of them; the case of their letters is a
 * checksum.
 */
import { createHash } from "node:crypto";
import { formOf } from "./address-forms.ts";

const PREFIX = "sim";
const DIGITS = 40;

/** `path` says whose it is: two paths have two addresses. */
export function addressOf(chain: string, seed: number, path: string): string {
  const form = formOf(chain);
  if (form === undefined) return plainAddressOf(chain, seed, path);
  return form.make(createHash("sha512").update(`${chain} ${seed} ${path}`, "utf8").digest());
}

/** The address without the form of a chain, which all had before there were forms. */
export function plainAddressOf(chain: string, seed: number, path: string): string {
  return checksummed(digest(`${chain} ${seed} ${path}`).slice(0, DIGITS));
}

/** The one spelling of an address; undefined when it is none, or a letter is wrong. */
export function normalizedAddress(chain: string, address: string): string | undefined {
  return formOf(chain)?.normalized(address) ?? normalizedPlain(address);
}

function normalizedPlain(address: string): string | undefined {
  if (!/^sim[0-9a-fA-F]{40}$/.test(address)) return undefined;
  const digits = address.slice(PREFIX.length);
  const right = checksummed(digits.toLowerCase());
  // All of one case says nothing of a checksum.
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || address === right ? right : undefined;
}

function checksummed(digits: string): string {
  const sum = digest(digits);
  const letters = Array.from(digits, (digit, at) =>
    Number.parseInt(sum[at] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return PREFIX + letters.join("");
}

export function digest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
