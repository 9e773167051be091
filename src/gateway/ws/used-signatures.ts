/** Logins of one key within the window of their signatures: more than any program needs. */
export const LOGINS_PER_KEY_MAX = 200;

interface Use {
  readonly address: string;
  /** Until when the signature is good. */
  readonly untilMs: number;
}

/**
 * Signatures of logins that have been used, with the address that used each first. What is signed is a time and nothing
 * else, so that anyone who gets hold of a signature could use it as well, for as long as that time is near: only the
 * first address may.
 */
export class UsedSignatures {
  readonly #byKey = new Map<string, Map<string, Use>>();

  /**
   * Notes a use of a sound signature; whether it is taken, was used first by another address, or is one too many of its
   * key.
   */
  take(accessId: string, signature: string, address: string, untilMs: number, nowMs: number): UseOutcome {
    let uses = this.#byKey.get(accessId);
    if (uses === undefined) {
      uses = new Map();
      this.#byKey.set(accessId, uses);
    }
    // Some clients write it in capitals: it is the same one.
    const written = signature.toLowerCase();
    const known = uses.get(written);
    if (known !== undefined) return known.address === address ? "taken" : "used_elsewhere";
    if (uses.size >= LOGINS_PER_KEY_MAX) forgetBefore(uses, nowMs);
    if (uses.size >= LOGINS_PER_KEY_MAX) return "too_many";
    uses.set(written, { address, untilMs });
    return "taken";
  }

  /** Forgets signatures that are not good any more; to be called now and then. */
  sweep(nowMs: number): void {
    for (const [accessId, uses] of this.#byKey) {
      forgetBefore(uses, nowMs);
      if (uses.size === 0) this.#byKey.delete(accessId);
    }
  }
}

export type UseOutcome = "taken" | "used_elsewhere" | "too_many";

function forgetBefore(uses: Map<string, Use>, nowMs: number): void {
  for (const [signature, { untilMs }] of uses) if (untilMs < nowMs) uses.delete(signature);
}
