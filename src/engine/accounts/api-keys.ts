import type { ApiKey } from "./api-key.ts";

const NONE: ReadonlyMap<string, ApiKey> = new Map();

/**
 * The API keys by access id, oldest first, which also finds those of a user and the one of a number without a walk
 * through all.
 */
export class ApiKeys extends Map<string, ApiKey> {
  /** The number that the next key gets; numbers are not given twice. */
  nextApiId = 1;
  private readonly byUser = new Map<number, Map<string, ApiKey>>();
  private readonly byApiId = new Map<number, ApiKey>();

  /** Enters a key, or puts a changed one in the place of the one with its access id. */
  override set(accessId: string, key: ApiKey): this {
    const own = this.byUser.get(key.userId);
    if (own === undefined) this.byUser.set(key.userId, new Map([[accessId, key]]));
    else own.set(accessId, key);
    if (key.apiId !== undefined) this.byApiId.set(key.apiId, key);
    return super.set(accessId, key);
  }

  override delete(accessId: string): boolean {
    const key = this.get(accessId);
    if (key === undefined) return false;
    const own = this.byUser.get(key.userId);
    own?.delete(accessId);
    if (own?.size === 0) this.byUser.delete(key.userId);
    if (key.apiId !== undefined) this.byApiId.delete(key.apiId);
    return super.delete(accessId);
  }

  /** Those of a user, oldest first. */
  ofUser(userId: number): ReadonlyMap<string, ApiKey> {
    return this.byUser.get(userId) ?? NONE;
  }

  withApiId(apiId: number): ApiKey | undefined {
    return this.byApiId.get(apiId);
  }

  /** Gives those a number that have none: they were made before keys had one. */
  numberAll(): void {
    for (const key of this.values()) {
      if (key.apiId === undefined) this.set(key.accessId, { ...key, apiId: this.nextApiId++ });
    }
  }
}
