/**
 * A lock between processes, made of a folder: making a folder either succeeds or fails, for one process at a time.
 * It keeps two installations from tearing down each other's node_modules.
 *
 * LOCK/owner holds the process id. When the owner has died, exactly one of those who wait inherits the lock; the folder
 * itself is never removed while it is being inherited, so nobody can mistake a new lock for the dead one.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
/** A slow network may need minutes for an installation; after this long somebody should look. */
const WAIT_MAX_MS = 600_000;
/** Between making the folder and writing the owner lie microseconds; a folder without owner this old is abandoned. */
const OWNERLESS_MAX_MS = 5_000;

/**
 * Runs `work` while holding the lock at `folder`, and releases it whatever happens.
 *
 * @param {string} folder
 * @param {() => Promise<void>} work
 * @throws {Error} when the lock cannot be had in ten minutes, and whatever `work` throws
 */
export async function withLock(folder, work) {
  await acquire(folder);
  try {
    await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function acquire(folder) {
  const deadline = Date.now() + WAIT_MAX_MS;
  let told = false;
  while (!take(folder) && !inherit(folder)) {
    if (Date.now() > deadline) throw new Error(`Another set-up holds ${folder}. If none is running, remove it.`);
    if (!told) process.stderr.write("bourse set-up: another process is installing; waiting for it\n");
    told = true;
    await sleep(POLL_MS);
  }
}

/** @param {string} folder */
function take(folder) {
  if (!makeFolder(folder)) return false;
  writeOwner(folder);
  return true;
}

/** @param {string} folder */
function inherit(folder) {
  if (!isAbandoned(folder)) return false;
  const claim = join(folder, "claim");
  if (!makeFolder(claim)) return false;
  try {
    // Asked again under the claim: somebody may have inherited between the first look and the claim.
    if (!isAbandoned(folder)) return false;
    writeOwner(folder);
    return true;
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {boolean} whether this call made it; false when it exists or its parent has gone
 */
function makeFolder(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  }
}

/** @param {string} folder */
function writeOwner(folder) {
  const draft = join(folder, `owner-${process.pid}`);
  writeFileSync(draft, String(process.pid));
  renameSync(draft, join(folder, "owner"));
}

/** @param {string} folder */
function isAbandoned(folder) {
  try {
    const owner = Number(readFileSync(join(folder, "owner"), "utf8"));
    return !isAlive(owner);
  } catch {
    return ageMs(folder) > OWNERLESS_MAX_MS;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal it means that it exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * @param {string} folder
 * @returns {number} zero when it has gone
 */
function ageMs(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}
