/** Signatures by Web Crypto, which browsers and Node have alike. */

export interface ApiKey {
  readonly accessId: string;
  readonly secretKey: string;
}

export class Signer {
  readonly accessId: string;
  readonly #key: Promise<CryptoKey>;

  constructor({ accessId, secretKey }: ApiKey) {
    this.accessId = accessId;
    const raw = new TextEncoder().encode(secretKey);
    this.#key = crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    // A caller who signs hears of a bad key; nobody else waits for it.
    this.#key.catch(() => {});
  }

  /** HMAC-SHA256 of the text, keyed with the secret, in lower-case hexadecimal. */
  async sign(text: string): Promise<string> {
    const bytes = await crypto.subtle.sign("HMAC", await this.#key, new TextEncoder().encode(text));
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}
