import assert from "node:assert/strict";
import { hash } from "node:crypto";
import type { ClientOptions } from "ws";
import type { ApiKeyPair } from "./api-client.ts";
import { type Message, SocketClient } from "./socket-client.ts";

/** A client of the legacy sockets: parameters in a row, text frames. */
export class LegacySocketClient extends SocketClient {
  static override async connect(base: string, path = "/", options: ClientOptions = {}): Promise<LegacySocketClient> {
    return await new LegacySocketClient(base, path, options).opened();
  }

  protected override textOf(data: Buffer, isBinary: boolean): string {
    assert.ok(!isBinary, "every frame of the legacy sockets is text");
    return data.toString("utf8");
  }

  override ask(method: string, params: readonly unknown[] = []): Promise<Message> {
    return super.ask(method, params);
  }

  /** As `ask`, for a query that must succeed; gives its result. */
  async query(method: string, ...params: readonly unknown[]): Promise<Message> {
    const { error, result } = await this.ask(method, params);
    assert.equal(error, null, method);
    return result;
  }

  /** As `ask`, for a request that must be refused; gives the code. */
  async refused(method: string, ...params: readonly unknown[]): Promise<number> {
    const { error, result } = await this.ask(method, params);
    assert.equal(result, null, method);
    return error.code;
  }

  override async must(method: string, params: readonly unknown[] = []): Promise<void> {
    const { id, ...answer } = await this.ask(method, params);
    assert.deepEqual(answer, { error: null, result: { status: "success" } }, `${method} ${id}`);
  }

  /** The parameters of the next push of a channel. */
  override async push(method: string): Promise<Message> {
    const { params, ...rest } = await this.take((message) => message.method === method);
    assert.deepEqual(rest, { method, id: null });
    return params;
  }

  /** Parameters of a login in either form: by MD5, as on the spot socket, or by SHA-256. */
  signRow({ accessId, secret }: ApiKeyPair, time: number, form: "md5" | "sha256" = "md5"): readonly unknown[] {
    const name = form === "md5" ? "tonce" : "timestamp";
    const digest = hash(form, `access_id=${accessId}&${name}=${time}&secret_key=${secret}`);
    return [accessId, form === "md5" ? digest.toUpperCase() : digest, time];
  }
}
