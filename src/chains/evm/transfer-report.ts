/** The event by which a token reports that it has moved (ERC-20). */
import type { Report } from "./answers.ts";
import { type Address, getAddress, type Hex } from "./viem.ts";

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** A word of 32 bytes is `0x` and 64 digits; an address fills the last 40 of them. */
const WORD_CHARS = 66;
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/;

/** Who was paid how many units; undefined when the report is none of a transfer. */
export function transferIn({ topics, data }: Report): { readonly to: Address; readonly units: bigint } | undefined {
  const to = ADDRESS_WORD.exec(topics[2] ?? "")?.[1];
  if (topics.length !== 3 || topics[0] !== TRANSFER_TOPIC || to === undefined || data.length !== WORD_CHARS) {
    return undefined;
  }
  return { to: getAddress(`0x${to}` as Hex), units: BigInt(data) };
}
