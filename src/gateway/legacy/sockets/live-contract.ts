/**
 * The contract of the legacy sockets under `compat`: as existing clients know it. docs/reference/compat.md says what
 * each difference rests on.
 */
import type { LegacySocketContract } from "./contract.ts";

const REQUIRES_LOGIN = 6;

/** L2. */
export function liveLegacyContract(contract: LegacySocketContract): LegacySocketContract {
  return {
    ...contract,
    errors: contract.errors.map((error) =>
      error.code === REQUIRES_LOGIN ? { ...error, message: "require auth" } : error,
    ),
  };
}
