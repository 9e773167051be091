import { ApiClient, type Envelope } from "./api-client.ts";

/** A client waits no longer for a node that says nothing. */
const PATIENCE_MS = 4_000;

/**
 * Does not wait for ever, unlike most clients, and knows that a node which is starting says so with a status of its
 * own.
 */
export class ImpatientClient extends ApiClient {
  override async send(method: string, target: string, body?: string | Buffer): Promise<Envelope> {
    return (await (await this.fetch(method, target, body)).json()) as Envelope;
  }

  override fetch(method: string, target: string, body?: string | Buffer): Promise<Response> {
    const headers = this.headersFor(method, target, body);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return fetch(this.base + target, { method, headers, signal, ...(body === undefined ? {} : { body }) });
  }
}
