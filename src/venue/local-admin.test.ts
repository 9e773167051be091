import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Logger } from "pino";
import type { HttpServer } from "../gateway/http/server.ts";
import { LOCAL_SOCKET, listenLocally } from "./local-admin.ts";

test("a disk that keeps no sockets is told of and stops nobody", { skip: process.platform === "win32" }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-no-sockets-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const tried: string[] = [];
  const server = {
    listenAt: (path: string) => {
      tried.push(path);
      return Promise.reject(Object.assign(new Error("listen ENOTSUP"), { code: "ENOTSUP" }));
    },
  } as unknown as HttpServer;
  const warnings: string[] = [];
  const log = { warn: (_: object, text: string) => warnings.push(text) } as unknown as Logger;
  await listenLocally(server, folder, log);
  assert.deepEqual(tried, [join(folder, LOCAL_SOCKET)]);
  assert.deepEqual(warnings, ["the disk of the data directory keeps no socket: the admin interface has its port only"]);
});
