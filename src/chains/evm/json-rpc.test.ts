import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { HttpNode, RpcError } from "./json-rpc.ts";

/** A node whose answers are the given texts, in turns; `ID` in them is the id of the call. */
async function nodeOf(
  t: TestContext,
  answers: readonly (readonly [status: number, body: string])[],
): Promise<HttpNode> {
  let at = 0;
  const server = createServer((request, response) => {
    void text(request).then((asked) => {
      const [status, body] = answers[Math.min(at++, answers.length - 1)] as readonly [number, string];
      const headers = { location: "http://127.0.0.1:9/" };
      response.writeHead(status, headers).end(body.replace("ID", String((JSON.parse(asked) as { id: number }).id)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new HttpNode(`http://ann:secret@127.0.0.1:${(server.address() as AddressInfo).port}/key`);
}

/** Answers of a node, and how the call fails. */
const ODD: readonly (readonly [number, string, RegExp])[] = [
  [200, "", /JSON/],
  [200, "<html>", /JSON/],
  [200, "null", /another call/],
  [200, "7", /another call/],
  [200, "[]", /another call/],
  [200, '{"id":ID}', /neither a result nor an error/],
  [200, '{"id":-1,"result":"0x1"}', /another call/],
  [200, '{"result":"0x1"}', /another call/],
  [200, `${"[".repeat(100_000)}`, /JSON|stack/],
  [200, `{"id":ID,"result":[${"0,".repeat(250_000)}0]}`, /more than 250000 values/],
  [200, `{"id":ID,"result":${"[".repeat(250_001)}`, /more than 250000 values/],
  [404, '{"id":ID,"result":"0x1"}', /status 404/],
  [500, "", /status 500/],
  [302, "", /fetch failed/],
];

test("an answer that is none is an error of the call, and the next call goes on", async (t) => {
  for (const [status, body, expected] of ODD) {
    const node = await nodeOf(t, [
      [status, body],
      [status, body],
      [200, '{"id":ID,"result":"0x1"}'],
    ]);
    assert.doesNotMatch(node.name, /secret|key/);
    await assert.rejects(node.call("eth_chainId", []), (error: Error) => {
      assert.match(`${error.message}`, expected, `${status} ${body.slice(0, 40)}`);
      return !(error instanceof RpcError);
    });
    assert.equal(await node.call("eth_chainId", []), "0x1");
  }
});

test("an error that the node answers is told as one, whatever it is made of", async (t) => {
  const errors = ['{"code":3,"message":"execution reverted"}', '{"code":{},"message":[null]}', '"down"', "7", "{}"];
  for (const error of errors) {
    const node = await nodeOf(t, [[200, `{"id":ID,"error":${error}}`]]);
    await assert.rejects(node.call("eth_call", []), RpcError, error);
  }
});

test("a call that failed on its way is made once more", async (t) => {
  const node = await nodeOf(t, [
    [503, ""],
    [200, '{"id":ID,"result":null}'],
  ]);
  assert.equal(await node.call("eth_getTransactionReceipt", []), null);
});

test("however many calls there are, all are answered", async (t) => {
  const node = await nodeOf(t, [[200, '{"id":ID,"result":"0x1"}']]);
  const answers = await Promise.all(Array.from({ length: 100 }, () => node.call("eth_chainId", [])));
  assert.deepEqual(new Set(answers), new Set(["0x1"]));
});

test("a node is let rest for longer than its answer took to read", async (t) => {
  const names = Array.from({ length: 240_000 }, (_, at) => `"${at}":0`).join();
  const node = await nodeOf(t, [
    [200, `{"id":ID,"result":{${names}}}`],
    [200, '{"id":ID,"result":"0x1"}'],
  ]);
  const began = performance.now();
  await node.call("eth_getLogs", []);
  const answered = performance.now();
  assert.equal(await node.call("eth_chainId", []), "0x1");
  // It takes much more than 5 ms to read, on any machine, and was sent and read in the time of the first call.
  assert.ok(performance.now() - answered >= 25, `${answered - began} ms, then ${performance.now() - answered}`);
});
