/**
 * The address forms of the chains that simulated ones stand for. Addresses are given with the prefix of a test network
 * where the chain has one, and taken with that of either network, so that withdrawal code written for the live chain
 * passes. Chains without a form here have addresses that begin with `sim`.
 */
import { createHash } from "node:crypto";

/** Makes an address of 64 bytes that are as good as random, and knows its own. */
export interface AddressForm {
  make(bytes: Buffer): string;
  /** The one spelling of an address; undefined when it is none. */
  normalized(address: string): string | undefined;
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

// --- Hexadecimal with the checksum of EIP-55 ---

const evm: AddressForm = {
  make: (bytes) => inMixedCase(bytes.subarray(0, 20).toString("hex")),
  normalized: (address) => {
    const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
    if (digits === undefined) return undefined;
    const right = inMixedCase(digits.toLowerCase());
    // All of one case says nothing of a checksum.
    const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return isPlain || address === right ? right : undefined;
  },
};

function inMixedCase(digits: string): string {
  const sum = createHash("keccak-256").update(digits, "latin1").digest("hex");
  const letters = Array.from(digits, (digit, at) =>
    Number.parseInt(sum[at] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join("")}`;
}

// --- Base 58 ---

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const RIPPLE58 = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";
/** The longest address in base 58: 35 bytes. */
const CHARS_MAX = 60;

function toBase58(bytes: Buffer, alphabet = BASE58): string {
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return (alphabet[0] as string).repeat(zeros < 0 ? bytes.length : zeros) + text;
}

function fromBase58(text: string, alphabet = BASE58): Buffer | undefined {
  if (text === "" || text.length > CHARS_MAX) return undefined;
  let number = 0n;
  for (const letter of text) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  const hex = number === 0n ? "" : number.toString(16);
  const rest = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  const zeros = Array.from(text).findIndex((letter) => letter !== alphabet[0]);
  return Buffer.concat([Buffer.alloc(zeros < 0 ? text.length : zeros), rest]);
}

interface Versions {
  /** Of the addresses that are given. */
  readonly given: number;
  /** All that are taken. */
  readonly taken: readonly number[];
  readonly alphabet?: string;
}

const HASH_BYTES = 20;
const SUM_BYTES = 4;

/** A version, a hash of 20 bytes, and four bytes of its double SHA-256. */
function base58check({ given, taken, alphabet }: Versions): AddressForm {
  const sumOf = (body: Buffer) => sha256(sha256(body)).subarray(0, SUM_BYTES);
  return {
    make: (bytes) => {
      const body = Buffer.concat([Buffer.from([given]), bytes.subarray(0, HASH_BYTES)]);
      return toBase58(Buffer.concat([body, sumOf(body)]), alphabet);
    },
    normalized: (address) => {
      const bytes = fromBase58(address, alphabet);
      if (bytes?.length !== 1 + HASH_BYTES + SUM_BYTES || !taken.includes(bytes[0] as number)) return undefined;
      const body = bytes.subarray(0, -SUM_BYTES);
      return sumOf(body).equals(bytes.subarray(-SUM_BYTES)) ? address : undefined;
    },
  };
}

/** A key of 32 bytes without a checksum. */
const solana: AddressForm = {
  make: (bytes) => toBase58(bytes.subarray(0, 32)),
  normalized: (address) => (fromBase58(address)?.length === 32 ? address : undefined),
};

/** A network's prefix, a key of 32 bytes and two bytes of their BLAKE2b. */
function ss58(given: number, taken: readonly number[]): AddressForm {
  const sumOf = (body: Buffer) =>
    createHash("blake2b512")
      .update(Buffer.concat([Buffer.from("SS58PRE"), body]))
      .digest()
      .subarray(0, 2);
  return {
    make: (bytes) => {
      const body = Buffer.concat([Buffer.from([given]), bytes.subarray(0, 32)]);
      return toBase58(Buffer.concat([body, sumOf(body)]));
    },
    normalized: (address) => {
      const bytes = fromBase58(address);
      if (bytes?.length !== 35 || !taken.includes(bytes[0] as number)) return undefined;
      return sumOf(bytes.subarray(0, 33)).equals(bytes.subarray(33)) ? address : undefined;
    },
  };
}

// --- Bech32 and Bech32m ---

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const PLAIN = 1;
const MODIFIED = 0x2bc830a3;

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if (((top >>> bit) & 1) === 1) sum ^= generator;
  }
  return sum >>> 0;
}

function spread(prefix: string): number[] {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function toBech32(prefix: string, words: readonly number[], constant: number): string {
  const sum = polymod([...spread(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ constant;
  const check = [5, 4, 3, 2, 1, 0].map((at) => (sum >>> (at * 5)) & 31);
  return `${prefix}1${[...words, ...check].map((word) => BECH32[word]).join("")}`;
}

/** The words of an address, and whether it is of the modified kind; undefined when it is none. */
function fromBech32(address: string): { prefix: string; words: number[]; constant: number } | undefined {
  const text = address.toLowerCase();
  if (text !== address && address.toUpperCase() !== address) return undefined;
  const at = text.lastIndexOf("1");
  const words = Array.from(text.slice(at + 1), (letter) => BECH32.indexOf(letter));
  if (at < 1 || text.length > 120 || words.length < 7 || words.includes(-1)) return undefined;
  const prefix = text.slice(0, at);
  const constant = polymod([...spread(prefix), ...words]);
  return constant === PLAIN || constant === MODIFIED ? { prefix, words: words.slice(0, -6), constant } : undefined;
}

/** Bits in groups of other sizes; undefined where what is left over is not 0. */
function regroup(values: Iterable<number>, from: number, to: number): number[] | undefined {
  const pads = to < from;
  const groups: number[] = [];
  let [bits, held] = [0, 0];
  for (const value of values) {
    held = (held << from) | value;
    for (bits += from; bits >= to; ) {
      bits -= to;
      groups.push((held >>> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (pads && bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1));
  return pads || (bits < from && held === 0) ? groups : undefined;
}

/** An output of a witness program: version 0 with 20 or 32 bytes, later ones in the modified kind. */
function segwit(given: string, taken: readonly string[]): AddressForm {
  return {
    make: (bytes) => toBech32(given, [0, ...(regroup(bytes.subarray(0, 20), 8, 5) as number[])], PLAIN),
    normalized: (address) => {
      const read = fromBech32(address);
      if (read === undefined || !taken.includes(read.prefix)) return undefined;
      const [version = -1, ...words] = read.words;
      const program = regroup(words, 5, 8);
      if (program === undefined || version > 16) return undefined;
      const isRight =
        version === 0
          ? read.constant === PLAIN && (program.length === 20 || program.length === 32)
          : read.constant === MODIFIED && program.length >= 2 && program.length <= 40;
      return isRight ? address.toLowerCase() : undefined;
    },
  };
}

/** Bytes under a prefix: the kinds of chains that have no witness programs. */
function bech32(
  given: string,
  taken: readonly string[],
  lengths: readonly number[],
  head = Buffer.alloc(0),
): AddressForm {
  const [length = 20] = lengths;
  return {
    make: (bytes) => {
      const body = Buffer.concat([head, bytes]).subarray(0, length);
      return toBech32(given, regroup(body, 8, 5) as number[], PLAIN);
    },
    normalized: (address) => {
      const read = fromBech32(address);
      if (read?.constant !== PLAIN || !taken.includes(read.prefix)) return undefined;
      return lengths.includes(regroup(read.words, 5, 8)?.length ?? -1) ? address.toLowerCase() : undefined;
    },
  };
}

/** The first of them makes addresses; all of them take theirs. */
function anyOf(first: AddressForm, ...others: readonly AddressForm[]): AddressForm {
  return {
    make: (bytes) => first.make(bytes),
    normalized: (address) => {
      for (const form of [first, ...others]) {
        const spelled = form.normalized(address);
        if (spelled !== undefined) return spelled;
      }
      return undefined;
    },
  };
}

/** The forms by names of chains. Bytes of versions and prefixes as the chains' own documents have them. */
const FORMS: Readonly<Record<string, AddressForm>> = {
  BTC: anyOf(segwit("tb", ["tb", "bc"]), base58check({ given: 0x6f, taken: [0x6f, 0xc4, 0x00, 0x05] })),
  LTC: anyOf(
    segwit("tltc", ["tltc", "ltc"]),
    base58check({ given: 0x6f, taken: [0x6f, 0x3a, 0xc4, 0x30, 0x32, 0x05] }),
  ),
  DOGE: base58check({ given: 0x71, taken: [0x71, 0xc4, 0x1e, 0x16] }),
  DASH: base58check({ given: 0x8c, taken: [0x8c, 0x13, 0x4c, 0x10] }),
  TRC20: base58check({ given: 0x41, taken: [0x41] }),
  XRP: base58check({ given: 0, taken: [0], alphabet: RIPPLE58 }),
  SOL: solana,
  DOT: ss58(42, [42, 0]),
  ADA: bech32("addr_test", ["addr_test", "addr"], [57, 29], Buffer.from([0x00])),
  ATOM: bech32("cosmos", ["cosmos"], [20, 32]),
  INJ: bech32("inj", ["inj"], [20, 32]),
  KAVA: bech32("kava", ["kava"], [20, 32]),
  ...Object.fromEntries(
    ["ERC20", "BSC", "AVA_C", "CSC", "MATIC", "POLYGON", "ARBITRUM", "OPTIMISM", "BASE", "ETC"].map((name) => [
      name,
      evm,
    ]),
  ),
};

/** That of the chain which a simulated one of this name stands for; undefined where none is known. */
export function formOf(chain: string): AddressForm | undefined {
  return Object.hasOwn(FORMS, chain) ? FORMS[chain] : undefined;
}
