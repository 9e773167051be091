/** The key by which limits count an address. */

/**
 * The two numbers that stand for an address, written to `key`: an IPv4 address itself, or the first 64 bits of an IPv6
 * address. Anyone who has one IPv6 address commonly has its whole /64 and could change address with every request
 * (ours). The form of an address is that of sockets: valid, and IPv4 never mapped into IPv6. Anything else counts as
 * one address.
 */
export function keyOfAddress(address: string, key: AddressKey): void {
  key.high = 0;
  key.low = 0;
  if (address.includes(":")) readIpv6(address, key);
  else readIpv4(address, key);
}

const grouped: AddressKey = { high: 0, low: 0 };

/** A text for all addresses that count as one. */
export function groupOf(address: string): string {
  keyOfAddress(address, grouped);
  return `${grouped.high} ${grouped.low}`;
}

export interface AddressKey {
  high: number;
  low: number;
}

const DOT = 0x2e;
const COLON = 0x3a;

function readIpv4(address: string, key: AddressKey): void {
  let octet = 0;
  let low = 0;
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at);
    if (code === DOT) {
      low = (low << 8) | octet;
      octet = 0;
    } else octet = octet * 10 + (code & 15);
  }
  key.low = (low << 8) | octet;
}

/** The first four of the eight groups; `::` stands for as many zeros as are missing. */
function readIpv6(address: string, key: AddressKey): void {
  const groups = [0, 0, 0, 0];
  let group = 0;
  for (let at = 0; at < address.length && group < 4; at++) {
    const code = address.charCodeAt(at);
    if (code !== COLON) {
      groups[group] = ((groups[group] as number) << 4) | hexOf(code);
    } else if (address.charCodeAt(at + 1) === COLON) {
      fillFromEnd(address.slice(at + 2), groups, group + 1);
      break;
    } else group++;
  }
  key.high = ((groups[0] as number) << 16) | (groups[1] as number);
  key.low = ((groups[2] as number) << 16) | (groups[3] as number);
}

/** Of what follows the `::` only that reaches into the first four groups which is more than four from the end. */
function fillFromEnd(tail: string, groups: number[], filled: number): void {
  const last = tail === "" ? [] : tail.split(":");
  const first = 8 - last.length;
  for (let group = Math.max(first, filled); group < 4; group++) {
    groups[group] = Number.parseInt(last[group - first] as string, 16);
  }
}

/** The value of a hexadecimal digit. */
function hexOf(code: number): number {
  return (code & 15) + (code > 0x39 ? 9 : 0);
}
