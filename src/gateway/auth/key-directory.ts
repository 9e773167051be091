/** Questions of the gateway about API keys and the accounts behind them; the engine's state answers them. */

export type Permission = "read" | "trade" | "withdraw";

export interface ApiKey {
  readonly accessId: string;
  readonly userId: number;
  /** The secret as the vault sealed it. */
  readonly secretCipher: string;
  readonly permissions: readonly Permission[];
  /** Addresses and networks (CIDR) the key may be used from; empty: from anywhere. */
  readonly ipWhitelist: readonly string[];
  /** ms; 0 = never. */
  readonly expiredAt: number;
}

export interface KeyDirectory {
  /** The key with exactly this access id; undefined when there is none or it was deleted. */
  find(accessId: string): ApiKey | undefined;
  /** True while the account may not make any signed call. */
  isFrozen(userId: number): boolean;
  /** True for a sub-account. */
  isSubAccount(userId: number): boolean;
  /**
   * Whether a sub-account was granted `permission` (an entry of the contract's `sub_permission`). Asked of sub-accounts
   * only.
   */
  hasSubPermission(userId: number, permission: string): boolean;
}
