/**
 * The first code of the single executable: puts the program, which it carries compressed, into the user's cache once
 * for each build, and runs it from there, since threads and pages are read from files.
 * Without arguments it starts a venue for development.
 */
"use strict";
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const { dirname, join } = require("node:path");
const process = require("node:process");
const sea = require("node:sea");
const { zstdDecompressSync } = require("node:zlib");

/** Where the user keeps what can be made again. BOURSE_CACHE names another folder. */
function cacheFolder() {
  const { BOURSE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (BOURSE_CACHE) return BOURSE_CACHE;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "bourse");
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "bourse");
  return join(os.homedir(), ".cache", "bourse");
}

/** A folder that somebody else can write to could hold another program by now. */
function assertOwn(/** @type {string} */ folder) {
  if (process.platform === "win32") return;
  const { uid, mode } = fs.statSync(folder);
  // In an image it lies ready, made by root.
  if ((uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0) return;
  throw new Error(
    `${folder} must belong to this user, and nobody else may write to it; or name another folder with BOURSE_CACHE.`,
  );
}

/**
 * Makes the folder of the cache, or with a prefix one of its own within it.
 *
 * @param {string} cache
 * @param {string} [prefix]
 */
function makeCache(cache, prefix) {
  try {
    if (prefix !== undefined) return fs.mkdtempSync(join(cache, prefix));
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
    return cache;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The folder ${cache}, where the program unpacks itself, cannot be used (${reason}). ` +
        `Name one that this user may write to with BOURSE_CACHE.`,
      { cause: error },
    );
  }
}

/**
 * Each file: lengths of path and body in 4 bytes each, then both.
 *
 * @param {Buffer} archive
 * @param {string} folder
 */
function unpack(archive, folder) {
  for (let at = 0; at < archive.length; ) {
    const pathEnd = at + 8 + archive.readUInt32LE(at);
    const end = pathEnd + archive.readUInt32LE(at + 4);
    const file = join(folder, archive.toString("utf8", at + 8, pathEnd));
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    fs.writeFileSync(file, archive.subarray(pathEnd, end), { mode: 0o644 });
    at = end;
  }
}

/** The folder of the program, made where it is absent; whole or not at all, also when two make it at once. */
function programFolder() {
  const packed = Buffer.from(sea.getRawAsset("program"));
  const cache = cacheFolder();
  const folder = join(cache, createHash("sha256").update(packed).digest("hex").slice(0, 32));
  makeCache(cache);
  assertOwn(cache);
  if (!fs.existsSync(folder)) {
    const aside = makeCache(cache, "new-");
    try {
      unpack(zstdDecompressSync(packed), aside);
      fs.chmodSync(aside, 0o755);
      fs.renameSync(aside, folder);
    } catch (error) {
      fs.rmSync(aside, { recursive: true, force: true });
      if (!fs.existsSync(folder)) throw error;
    }
  }
  assertOwn(folder);
  return folder;
}

try {
  if (process.argv.length === 2) process.argv.push("start");
  createRequire(join(programFolder(), "start.cjs"))("./start.cjs");
} catch (error) {
  process.stderr.write(`bourse: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
