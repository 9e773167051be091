/**
 * Whether an address is in a list of addresses and networks (CIDR), such as those a key may be used from. An entry of
 * IPv4 is about IPv4 and one of IPv6 about IPv6: `::/0` admits no IPv4 address. One that spells IPv4 out in its mapped
 * form, `::ffff:192.0.2.0/120`, is the IPv4 entry that it means; so is a mapped address that is looked for.
 */
import { BlockList, isIP, isIPv4 } from "node:net";

interface Entry {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** True for an entry that a list may hold. */
export function isIpEntry(entry: string): boolean {
  return entryOf(entry) !== undefined;
}

/**
 * True for an entry that the list of a key may be given. One of all addresses is none: a list that admits everybody
 * looks like a bound and is none, and its key would live for longer than one without a list. Lists that were made
 * before keep theirs.
 */
export function isIpListEntry(text: string): boolean {
  const entry = entryOf(text);
  return entry !== undefined && entry.prefix > 0;
}

/** Empty lists allow everybody. */
export function allowsIp(list: readonly string[], address: string): boolean {
  return list.length === 0 || holdsIp(list, address);
}

/** Whether an address is in a list; an empty one holds none. */
export function holdsIp(list: readonly string[], address: string): boolean {
  const plain = address.replace(MAPPED, "");
  const family = isIP(plain);
  return family !== 0 && listOf(list).check(plain, family);
}

const MAPPED = /^::ffff:(?=\d+\.)/i;
/** The bits of an IPv4 address begin here in its mapped form. */
const MAPPED_BITS = 96;

class Lists {
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();

  constructor(entries: readonly string[]) {
    for (const text of entries) {
      // An entry that is no address matches nothing; it cannot have come in through the API.
      const entry = entryOf(text);
      if (entry === undefined) continue;
      const { address, prefix, family } = entry;
      (family === "ipv4" ? this.#ipv4 : this.#ipv6).addSubnet(address, prefix, family);
    }
  }

  check(address: string, family: number): boolean {
    return family === 4 ? this.#ipv4.check(address, "ipv4") : this.#ipv6.check(address, "ipv6");
  }
}

/** Lists are immutable and few; each is turned into ranges once and forgotten with its key. */
const lists = new WeakMap<readonly string[], Lists>();

function listOf(entries: readonly string[]): Lists {
  const known = lists.get(entries);
  if (known !== undefined) return known;
  const made = new Lists(entries);
  lists.set(entries, made);
  return made;
}

/** One way to write it: no zone, no leading zeros in the prefix. */
function entryOf(text: string): Entry | undefined {
  const slash = text.indexOf("/");
  const written = slash < 0 ? text : text.slice(0, slash);
  if (isIP(written) === 0 || written.includes("%")) return undefined;
  const bits = isIPv4(written) ? 32 : 128;
  const prefixText = slash < 0 ? String(bits) : text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefixText) || Number(prefixText) > bits) return undefined;
  const prefix = Number(prefixText);
  const mapped = MAPPED.test(written) && prefix >= MAPPED_BITS;
  if (mapped) return { address: written.replace(MAPPED, ""), prefix: prefix - MAPPED_BITS, family: "ipv4" };
  return { address: written, prefix, family: bits === 32 ? "ipv4" : "ipv6" };
}
