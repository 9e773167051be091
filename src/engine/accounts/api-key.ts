import type { KeyPermission } from "./command-schemas.ts";

export interface ApiKey {
  /** By which its owner's main account calls it; undefined only under rules that did not number keys. */
  readonly apiId?: number;
  readonly accessId: string;
  readonly userId: number;
  /** Opaque to the engine: encrypted with a key that never enters the log. */
  readonly secretCipher: string;
  readonly permissions: readonly KeyPermission[];
  /** Empty: from anywhere. */
  readonly ipWhitelist: readonly string[];
  /** ms; 0 = never. */
  readonly expiredAt: number;
  readonly remark: string;
  readonly createdAt: number;
}
