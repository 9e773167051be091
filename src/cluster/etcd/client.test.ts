import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { EtcdAway, EtcdClient, EtcdFull, EtcdUnfit } from "./client.ts";
import { serviceOf } from "./protocol.ts";

/**
 * What etcd answers where it does not do what it was asked for, and what a node makes of it. Source: etcd 3.4,
 * rpctypes/error.go.
 */
const ANSWERS: readonly (readonly [code: number, words: string, made: "waits" | "full" | "unfit" | "final"])[] = [
  [status.UNAVAILABLE, "etcdserver: no leader", "waits"],
  [status.UNAVAILABLE, "etcdserver: leader changed", "waits"],
  [status.UNAVAILABLE, "etcdserver: request timed out", "waits"],
  [status.UNAVAILABLE, "etcdserver: request timed out, possibly due to previous leader failure", "waits"],
  [status.UNAVAILABLE, "etcdserver: server stopped", "waits"],
  [status.UNAVAILABLE, "etcdserver: unhealthy cluster", "waits"],
  [status.FAILED_PRECONDITION, "etcdserver: not leader", "waits"],
  [status.RESOURCE_EXHAUSTED, "etcdserver: too many requests", "waits"],
  // Without a code of its own: more than half of the servers are gone, or this one is about to end.
  [status.UNKNOWN, "context deadline exceeded", "waits"],
  [status.UNKNOWN, "context canceled", "waits"],
  [status.UNKNOWN, "raft: stopped", "waits"],
  [status.INTERNAL, "Received RST_STREAM with code 2", "waits"],
  [status.UNAUTHENTICATED, "etcdserver: invalid auth token", "waits"],
  [status.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded", "full"],
  [status.INVALID_ARGUMENT, "etcdserver: authentication failed, invalid user ID or password", "unfit"],
  [status.INVALID_ARGUMENT, "etcdserver: user name is empty", "unfit"],
  [status.FAILED_PRECONDITION, "etcdserver: authentication is not enabled", "unfit"],
  [status.PERMISSION_DENIED, "etcdserver: permission denied", "unfit"],
  [status.INVALID_ARGUMENT, "etcdserver: request is too large", "final"],
  [status.OUT_OF_RANGE, "etcdserver: mvcc: required revision has been compacted", "final"],
  [status.NOT_FOUND, "etcdserver: requested lease not found", "final"],
  [status.DATA_LOSS, "etcdserver: corrupt cluster", "final"],
];

const KINDS = { waits: EtcdAway, full: EtcdFull, unfit: EtcdUnfit } as const;

let answer: { readonly code: number; readonly details: string };
const server = new Server();
let client: EtcdClient;

before(async () => {
  server.addService(serviceOf("KV").service, {
    Range: (_: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => done(answer),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, at) =>
      error === null ? resolve(at) : reject(error),
    );
  });
  client = new EtcdClient({ servers: [`http://127.0.0.1:${port}`] });
});
after(() => {
  client?.close();
  server.forceShutdown();
});

for (const [code, details, made] of ANSWERS) {
  test(`a node ${made === "waits" ? "waits" : `takes for ${made}`} when etcd answers "${details}"`, async () => {
    answer = { code, details };
    const error = await client.call("KV", "Range", {}).then(
      () => assert.fail("it was answered"),
      (reason: unknown) => reason,
    );
    const kind = Object.entries(KINDS).find(([, of]) => error instanceof of)?.[0] ?? "final";
    assert.equal(kind, made);
  });
}
