/** Whether an address is among those a key may be used from: IPv4, IPv6 and networks of both in CIDR notation. */
import { BlockList, isIP, isIPv4 } from "node:net";

/** True for an entry that a whitelist may hold. */
export function isIpEntry(entry: string): boolean {
  const { address, prefix } = partsOf(entry);
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** An IPv4 address counts as the same when it comes mapped into IPv6 (`::ffff:192.0.2.1`). Empty lists allow everybody. */
export function allowsIp(whitelist: readonly string[], address: string): boolean {
  if (whitelist.length === 0 || whitelist.includes(address)) return true;
  if (isIP(address) === 0) return false;
  return listOf(whitelist).check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Lists are immutable and few; each is turned into ranges once and forgotten with its key. */
const lists = new WeakMap<readonly string[], BlockList>();

function listOf(whitelist: readonly string[]): BlockList {
  const known = lists.get(whitelist);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const entry of whitelist) {
    // An entry that is no address matches nothing; it cannot have come in through the API.
    if (!isIpEntry(entry)) continue;
    const { address, prefix } = partsOf(entry);
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  lists.set(whitelist, list);
  return list;
}

function partsOf(entry: string): { address: string; prefix: string | undefined } {
  const slash = entry.indexOf("/");
  if (slash < 0) return { address: entry, prefix: undefined };
  return { address: entry.slice(0, slash), prefix: entry.slice(slash + 1) };
}
