/**
 * The one door to viem: what is used of it. A package of bourse brings exactly this along, bundled, since the whole
 * weighs a hundred MiB.
 */
export type { Address, Hash, Hex } from "viem";
export {
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  getAddress,
  isAddress,
  keccak256,
  parseTransaction,
  parseUnits,
  recoverTransactionAddress,
} from "viem";
export type { LocalAccount } from "viem/accounts";
export { english, generateMnemonic, mnemonicToAccount } from "viem/accounts";
