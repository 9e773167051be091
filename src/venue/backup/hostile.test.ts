/**
 * Backups that somebody made to harm anyone who looks at them: each is refused with a sentence, soon, and leaves
 * nothing behind.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BackupError } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";
import { TarWriter } from "./tar.ts";
import { verifyBackup } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-hostile-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const BLOCK = 512;

/** A header of a tar whose fields are whatever is wanted; its sum is right. */
function header(name: string, size: string | Buffer, { type = "0", link = "", prefix = "" } = {}): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, "latin1");
  block.write("0000600\0" + "0000000\0" + "0000000\0", 100);
  if (typeof size === "string") block.write(size, 124, "latin1");
  else size.copy(block, 124);
  block.write("00000000000\0", 136);
  block.write(type, 156);
  block.write(link, 157);
  block.write("ustar\0" + "00", 257);
  block.write(prefix, 345);
  block.write("        ", 148);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

const octal = (bytes: number) => `${bytes.toString(8).padStart(11, "0")}\0`;
const binary = (head: number, value: bigint) => {
  const field = Buffer.alloc(12);
  field[0] = head;
  field.writeBigUInt64BE(BigInt.asUintN(64, value), 4);
  return field;
};
const file = (name: string, content: string) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    header(name, octal(bytes.length)),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
};
const END = Buffer.alloc(2 * BLOCK);

/** With a manifest and its hash, as anyone who makes a file can write them. */
function signed(manifest: unknown, ...parts: readonly Buffer[]): Buffer {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  const hash = createHash("sha256").update(text).digest("hex");
  return Buffer.concat([...parts, file("manifest.json", text), file("manifest.sha256", hash), END]);
}

const MANIFEST = {
  ...{ format: 1, version: "0", venue_id: "v", seq: 1, time: "t", log_hash: "h", made_at: "t" },
};

const HOSTILE: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  "a text": Buffer.from("hello"),
  "zeros alone": Buffer.alloc(100_000),
  "a size with a minus": Buffer.concat([header("log.sqlite", "-0000001000\0"), END]),
  "a size with a minus that leads back to itself": Buffer.concat([header("log.sqlite", "-1000\0"), END]),
  "a binary size with its sign bit": Buffer.concat([header("log.sqlite", binary(0x80, -1_024n)), END]),
  "a binary size below zero": Buffer.concat([header("log.sqlite", Buffer.alloc(12, 0xff)), END]),
  "a huge octal size": Buffer.concat([header("log.sqlite", "77777777777\0"), END]),
  "a huge binary size": Buffer.concat([header("log.sqlite", binary(0x80, 2n ** 52n)), END]),
  "a size that is no number": Buffer.concat([header("log.sqlite", "zzzzzzzzzzz\0"), END]),
  "a symbolic link": Buffer.concat([header("log.sqlite", octal(0), { type: "2", link: "/etc/passwd" }), END]),
  "a hard link": Buffer.concat([header("log.sqlite", octal(0), { type: "1", link: "secret.key" }), END]),
  "a folder": Buffer.concat([header("log.sqlite", octal(0), { type: "5" }), END]),
  "a device": Buffer.concat([header("log.sqlite", octal(0), { type: "3" }), END]),
  "a sparse file": Buffer.concat([header("log.sqlite", octal(0), { type: "S" }), END]),
  "a header that renames the next": Buffer.concat([header("././@LongLink", octal(9), { type: "L" }), END]),
  "a pax header": Buffer.concat([header("log.sqlite", octal(0), { type: "x" }), END]),
  "a name that leads out": signed({ ...MANIFEST, files: [] }, file("../log.sqlite", "x")),
  "an absolute name": signed({ ...MANIFEST, files: [] }, file("/etc/cron.d/x", "x")),
  "a name without anything": signed({ ...MANIFEST, files: [] }, file("", "x")),
  "a name with a zero": signed({ ...MANIFEST, files: [] }, file("log.sqlite\n", "x")),
  "a name of nothing of ours": signed({ ...MANIFEST, files: [] }, file("authorized-keys", "x")),
  "a file twice": signed({ ...MANIFEST, files: [] }, file("log.sqlite", "x"), file("log.sqlite", "y")),
  "ten thousand files": Buffer.concat(Array.from({ length: 10_000 }, (_, n) => file(`snapshot-${n}.bourse`, ""))),
  "a manifest alone": signed({ ...MANIFEST, files: [{}] }),
  "a manifest without files": signed({ ...MANIFEST }),
  "a manifest that is null": signed("null"),
  "a manifest that is no JSON": signed("{"),
  "a manifest nested deep": signed("[".repeat(60_000)),
  "a manifest with a byte order mark": signed(`\ufeff${JSON.stringify(MANIFEST)}`),
  "a large manifest": signed(" ".repeat(100_000)),
  "files that are not in the manifest": signed({ ...MANIFEST, files: [] }, file("secret.key", "x")),
  "files that are only in the manifest": signed({
    ...MANIFEST,
    files: [{ name: "log.sqlite", bytes: 1, sha256: "x" }],
  }),
  "a sealed head alone": Buffer.from("BOURSEB1"),
  "a sealed kind that nobody knows": Buffer.concat([Buffer.from("BOURSEB1\u0009"), Buffer.alloc(1_000)]),
};

for (const [what, bytes] of Object.entries(HOSTILE)) {
  test(`a backup is refused that is, or has, ${what}`, () => {
    const at = join(folder, "hostile.tar");
    writeFileSync(at, bytes);
    const target = join(folder, "restored");
    assert.throws(() => verifyBackup(at), isSentence);
    assert.throws(() => restoreBackup(at, target), isSentence);
    assert.deepEqual([existsSync(target), existsSync(`${target}.restoring`)], [false, false], "nothing is left behind");
    rmSync(at);
    assert.deepEqual(readdirSync(folder), []);
  });
}

test("neither a folder, a file made of holes nor a file that is not there is read", () => {
  const at = join(folder, "hostile.tar");
  assert.throws(() => verifyBackup(at), isSentence);
  mkdirSync(at);
  assert.throws(() => verifyBackup(at), isSentence);
  rmSync(at, { recursive: true });
  const descriptor = openSync(at, "w");
  writeSync(descriptor, header("log.sqlite", binary(0x80, 2n ** 42n)));
  ftruncateSync(descriptor, 2 ** 42 + 4_096);
  closeSync(descriptor);
  assert.throws(() => verifyBackup(at), /made of holes/);
  rmSync(at);
  symlinkSync("/dev/zero", at);
  assert.throws(() => verifyBackup(at), /no file/);
  rmSync(at);
});

test("a name of ours is written, so that what is refused above is refused for its reason", () => {
  const at = join(folder, "sound.tar");
  const pieces: Buffer[] = [];
  const tar = new TarWriter((bytes) => pieces.push(Buffer.from(bytes)), 0);
  const files = [tar.addText("log.sqlite", "x")];
  const { sha256 } = tar.addText("manifest.json", JSON.stringify({ ...MANIFEST, files }));
  tar.addText("manifest.sha256", sha256);
  tar.end();
  writeFileSync(at, Buffer.concat(pieces));
  assert.equal(verifyBackup(at).files.length, 1);
  writeFileSync(at, signed({ ...MANIFEST, files }, file("log.sqlite", "x")));
  assert.equal(verifyBackup(at).files.length, 1);
  rmSync(at);
});

function isSentence(error: unknown): boolean {
  return error instanceof BackupError && /^[A-Z].*\.$/.test(error.message);
}
