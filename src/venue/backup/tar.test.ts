import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readTar, TarWriter } from "./tar.ts";

const FILES: Readonly<Record<string, string>> = {
  empty: "",
  "a file.txt": "hello\n",
  block: "x".repeat(512),
  more: "y".repeat(70_000),
};

function written(t: TestContext): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), "bourse-tar-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "all.tar");
  const descriptor = openSync(file, "w");
  const tar = new TarWriter(descriptor, 1_750_000_000_000);
  for (const [name, text] of Object.entries(FILES)) tar.addText(name, text);
  writeFileSync(join(folder, "source"), FILES["more"] as string);
  tar.addFile("copied", join(folder, "source"));
  tar.end();
  closeSync(descriptor);
  return { folder, file };
}

test("what is written into a tar comes out again, piece by piece", (t) => {
  const { file } = written(t);
  const found = Object.fromEntries(
    Array.from(readTar(file), ({ name, pieces }) => [
      name,
      Buffer.concat([...pieces].map((piece) => piece.slice())).toString(),
    ]),
  );
  assert.deepEqual(found, { ...FILES, copied: FILES["more"] });
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
    assert.throws(() => [...readTar(file)], /ends in the middle/, `${bytes}`);
  }
});
