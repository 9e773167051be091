/** Servers that a node cannot use: it ends with a sentence instead of waiting for what never comes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { NatsLink } from "../../src/cluster/nats-link.ts";
import { natsServerHere, withoutNats } from "../support/nats-servers.ts";

/** Where a server listens that was started with these arguments. */
async function serverWith(t: TestContext, ...args: readonly string[]): Promise<string> {
  const here = natsServerHere();
  assert.ok("path" in here);
  const child = spawn(here.path, ["--addr", "127.0.0.1", "--port", "-1", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, host] = /Listening for client connections on (\S+)/.exec(line) ?? [];
    if (host !== undefined) return host;
  }
  return assert.fail("The server does not listen.");
}

function open(server: string): Promise<NatsLink> {
  const handlers = {
    onMessage: () => {},
    onEntry: () => {},
    onAsked: () => undefined,
    onConnection: () => {},
    onEnd: () => {},
  };
  return NatsLink.open({ servers: [server], node: "a", handlers });
}

test("a server that asks for a password, which is not given or is another one", { skip: withoutNats() }, async (t) => {
  const host = await serverWith(t, "--user", "bourse", "--pass", "right");
  for (const access of ["", "bourse:wrong@"]) {
    await assert.rejects(open(`nats://${access}${host}`), {
      code: "NATS_UNFIT",
      message: /they do not let this node in: the user or the password in the setting log is not theirs/,
    });
  }
});

test("a server without JetStream", { skip: withoutNats() }, async (t) => {
  const host = await serverWith(t);
  await assert.rejects(open(`nats://${host}`), { code: "NATS_UNFIT", message: /JetStream is not enabled/ });
});
