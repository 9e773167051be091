import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readTar, sourceOf, TarWriter, writeAll } from "./tar.ts";

const FILES: Readonly<Record<string, string>> = {
  empty: "",
  "a-file.txt": "hello\n",
  block: "x".repeat(512),
  more: "y".repeat(70_000),
};

/** The files in it, read to their ends. */
function filesIn(file: string): [name: string, content: string][] {
  const descriptor = openSync(file, "r");
  try {
    return Array.from(readTar(sourceOf(descriptor)), ({ name, pieces }) => [
      name,
      Buffer.concat([...pieces].map((piece) => piece.slice())).toString(),
    ]);
  } finally {
    closeSync(descriptor);
  }
}

function written(t: TestContext): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), "bourse-tar-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "all.tar");
  const descriptor = openSync(file, "w");
  const tar = new TarWriter((bytes) => writeAll(descriptor, bytes), 1_750_000_000_000);
  for (const [name, text] of Object.entries(FILES)) tar.addText(name, text);
  writeFileSync(join(folder, "source"), FILES["more"] as string);
  tar.addFile("copied", join(folder, "source"));
  tar.end();
  closeSync(descriptor);
  return { folder, file };
}

test("what is written into a tar comes out again, piece by piece", (t) => {
  const { file } = written(t);
  assert.deepEqual(Object.fromEntries(filesIn(file)), { ...FILES, copied: FILES["more"] });
});

test("the tar of the machine unpacks it", { skip: process.platform === "win32" }, (t) => {
  const { folder, file } = written(t);
  execFileSync("tar", ["-xf", file, "-C", folder]);
  for (const [name, text] of Object.entries(FILES)) assert.equal(readFileSync(join(folder, name), "utf8"), text);
});

test("a tar that was cut off is refused", (t) => {
  const { file } = written(t);
  for (const bytes of [60_000, 1_500, 1_000, 100]) {
    truncateSync(file, bytes);
    assert.throws(() => filesIn(file), /ends in the middle/, `${bytes}`);
  }
});
