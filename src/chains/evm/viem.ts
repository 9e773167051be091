/** The one door to viem: what is used of it. A package of bourse brings exactly this along, bundled, since the whole weighs a hundred MiB. */
export type { Address, BaseError, Block, Hash, Hex, PublicClient, Transaction } from "viem";
export {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  getAddress,
  http,
  isAddress,
  keccak256,
  parseTransaction,
  parseUnits,
  recoverTransactionAddress,
} from "viem";
export type { LocalAccount } from "viem/accounts";
export { english, generateMnemonic, mnemonicToAccount } from "viem/accounts";
