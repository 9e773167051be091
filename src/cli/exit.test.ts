import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT, endOf } from "./exit.ts";

function errorWith(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

test("what the machine refuses is told in one sentence, and what nobody expected whole", () => {
  const rows: readonly (readonly [Error, string])[] = [
    [
      errorWith("database or disk is full", { code: "ERR_SQLITE_ERROR", errcode: 13 }),
      "A file of the data directory cannot be used (SQLITE_FULL: database or disk is full).",
    ],
    [
      errorWith("attempt to write a readonly database", { code: "ERR_SQLITE_ERROR", errcode: 8 }),
      "A file of the data directory cannot be used (SQLITE_READONLY: attempt to write a readonly database).",
    ],
    [errorWith("x", { code: "ENOSPC", syscall: "write" }), "The disk is full: make room, and try again."],
    [
      errorWith("EIO: i/o error, write", { code: "EIO", syscall: "write" }),
      "The disk failed (EIO: i/o error, write). Look at what the system's log says of it.",
    ],
    [
      errorWith("EROFS: read-only file system, write", { code: "EROFS", syscall: "write" }),
      "A file cannot be written (EROFS: read-only file system, write): let this user write there, or name " +
        "another place.",
    ],
    [
      errorWith("x", { code: "EACCES", syscall: "listen", port: 80, address: "127.0.0.1" }),
      "This user may not listen on port 80 of 127.0.0.1; choose one from 1024 on with --port.",
    ],
    [
      errorWith("x", { code: "EROFS", syscall: "open", path: "/ro/data/lock" }),
      "This user may not use /ro/data/lock: give it to the user who runs bourse, or name another place.",
    ],
  ];
  for (const [error, sentence] of rows) assert.deepEqual(endOf(error), { sentence, exitCode: EXIT.failed });
  const { sentence, exitCode } = endOf(errorWith("no such file", { code: "ENOENT", syscall: "open", path: "/x" }));
  assert.match(sentence, /^Error: no such file\n {4}at /);
  assert.equal(exitCode, EXIT.failed);
});
