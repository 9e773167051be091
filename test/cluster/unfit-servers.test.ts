/** Servers that a node cannot use: it ends with a sentence instead of waiting for what never comes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { NatsLink } from "../../src/cluster/nats-link.ts";
import { natsServerHere, withoutNats } from "../support/nats-servers.ts";

/** A server that was started with these arguments, and where it listens. */
async function serverWith(t: TestContext, ...args: readonly string[]) {
  const here = natsServerHere();
  assert.ok("path" in here);
  const child = spawn(here.path, ["--addr", "127.0.0.1", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  t.after(end);
  for await (const line of createInterface({ input: child.stderr })) {
    const [, host] = /Listening for client connections on (\S+)/.exec(line) ?? [];
    if (host !== undefined) return { host, end };
  }
  return assert.fail("The server does not listen.");
}

function open(server: string, onEnd: (reason: string) => void = () => {}): Promise<NatsLink> {
  const handlers = { onMessage: () => {}, onEntry: () => {}, onAsked: () => undefined, onConnection: () => {}, onEnd };
  return NatsLink.open({ servers: [server], node: "a", handlers });
}

test("a server that asks for a password, which is not given or is another one", { skip: withoutNats() }, async (t) => {
  const { host } = await serverWith(t, "--port", "-1", "--user", "bourse", "--pass", "right");
  for (const access of ["", "bourse:wrong@"]) {
    await assert.rejects(open(`nats://${access}${host}`), {
      code: "NATS_UNFIT",
      message: /they do not let this node in: the user or the password in the setting log is not theirs/,
    });
  }
});

test("a server without JetStream", { skip: withoutNats() }, async (t) => {
  const { host } = await serverWith(t, "--port", "-1");
  await assert.rejects(open(`nats://${host}`), { code: "NATS_UNFIT", message: /JetStream is not enabled/ });
});

test("a server that comes back and lets the node in no longer ends it", { skip: withoutNats() }, async (t) => {
  const store = mkdtempSync(join(tmpdir(), "bourse-unfit-"));
  t.after(() => rmSync(store, { recursive: true, force: true }));
  const config = join(store, "nats.conf");
  writeFileSync(config, "max_payload: 8MB");
  const own = ["--config", config, "--jetstream", "--store_dir", store, "--user", "bourse"];
  const first = await serverWith(t, "--port", "-1", ...own, "--pass", "right");
  const { promise, resolve } = Promise.withResolvers<string>();
  const link = await open(`nats://bourse:right@${first.host}`, resolve);
  t.after(() => link.close());
  await first.end();
  await serverWith(t, "--port", new URL(`nats://${first.host}`).port, ...own, "--pass", "another");
  assert.match(await promise, /authorization violation/i);
});
