/**
 * `bourse cluster found` and `adopt`: a new venue, or the log of a folder, goes into an empty store, from which several
 * nodes go on with it. `bourse cluster forget`: what a node that never returns has left there goes.
 */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hexOf } from "../cluster/entry.ts";
import { EtcdStore } from "../cluster/etcd/etcd-store.ts";
import { Sealer } from "../cluster/frame.ts";
import { CopyRefused, foundVenue, partOfLog } from "../cluster/joining.ts";
import { OwnLog } from "../cluster/own-log.ts";
import { logPaths, openDataDir } from "../log/data-dir.ts";
import { LogReader } from "../log/reader.ts";
import { tlsOf } from "./assembly/storage.ts";
import { vaultFromElsewhere } from "./sealing-key.ts";
import { type Settings, SettingsError } from "./settings.ts";

/** A file that nodes of earlier versions kept beside the log. */
const STANDING_FILE = "standing.json";

export interface Adopted {
  readonly venueId: string;
  /** Where the log ends, and with which hash. */
  readonly seq: number;
  readonly hash: string;
}

type Note = (text: string) => void;

/**
 * Makes a new venue, for nodes with empty folders. Throws CopyRefused when the store holds a log already, or when the
 * folder that the settings name holds one: then the venue is not new. A node may wait on that folder meanwhile.
 */
export async function foundNew(settings: Settings, note: Note): Promise<{ readonly venueId: string }> {
  const { data } = settings;
  const { log, wal, commitMarker } = logPaths(data);
  if ([log, wal, commitMarker].some((path) => existsSync(path))) {
    throw new CopyRefused(
      `There is the log of a venue in ${data}. To go on with that venue, run: bourse cluster adopt. To begin a ` +
        "new one all the same, move the folder away first.",
    );
  }
  return await withStore(settings, note, async (store) => {
    const venueId = await foundVenue(store);
    if ((await store.venue())?.venueId !== venueId) throw await holdsAnother(store);
    return { venueId };
  });
}

/**
 * Throws CopyRefused when the store holds a log already, LogDamaged when that of the folder is not sound, DataDirLocked
 * when a venue runs on it.
 */
export async function adoptLog(settings: Settings, note: Note): Promise<Adopted> {
  const { data } = settings;
  keyOf(settings);
  const dataDir = openDataDir(data);
  try {
    const own = await OwnLog.open(dataDir, { onStored: () => {}, onFault: () => {} });
    await own.close();
    if (own.checked === undefined)
      throw new CopyRefused(`There is no log in ${data}. To begin a new venue, run: bourse cluster found.`);
    const { venueId } = own.checked;
    verify(data);
    const { seq, hash, timeMs } = own.tail;
    await withStore(settings, note, async (store) => {
      await store.found(venueId, { place: 0, seq, hash: hexOf(hash), timeMs });
      const held = await store.venue();
      if (held?.venueId !== venueId || held.base.seq !== seq || held.base.hash !== hexOf(hash))
        throw await holdsAnother(store);
    });
    rmSync(join(dataDir.path, STANDING_FILE), { force: true });
    return { venueId, seq, hash: hexOf(hash) };
  } finally {
    dataDir.release();
  }
}

/** Nodes that run tell of themselves more often, also when they miss once. */
const SILENT_MS = 10_000;

/** A node is not there, or lives. */
export class ForgetRefused extends Error {
  readonly code = "FORGET_REFUSED";
}

/**
 * Removes from the store what a node that never returns told of itself. It takes some seconds: a node that tells
 * anything meanwhile is there. Throws ForgetRefused then, and when there is no such node.
 */
export async function forgetNode(settings: Settings, node: string, note: Note): Promise<{ readonly nodes: string[] }> {
  return await withStore(settings, note, async (store) => {
    const names = async () => (await store.nodes()).map((record) => record.node);
    const known = await names();
    const toldAt = await store.toldAt(node);
    if (toldAt === undefined)
      throw new ForgetRefused(
        known.length === 0 ? "etcd knows of no node." : `etcd knows of no node ${node}, but of ${known.join(", ")}.`,
      );
    note(`Node ${node} is forgotten if it says nothing for ${SILENT_MS / 1_000} s.`);
    await pause(SILENT_MS);
    if (!(await store.forget(node, toldAt)))
      throw new ForgetRefused(`Node ${node} runs: it has just told of itself. Stop it first.`);
    return { nodes: await names() };
  });
}

/** Throws SettingsError where they do not say which servers there are, or have no key for them. */
function keyOf({ cluster, secretKey }: Settings) {
  const vault = vaultFromElsewhere(secretKey);
  if (cluster === undefined || vault === undefined)
    throw new SettingsError(
      "Say which etcd servers the log goes to with log, and give the nodes' key with secret-key.",
    );
  return { cluster, secret: vault.secret };
}

async function withStore<Result>(
  settings: Settings,
  onNote: Note,
  run: (store: EtcdStore) => Promise<Result>,
): Promise<Result> {
  const { cluster, secret } = keyOf(settings);
  const store = new EtcdStore({
    ...{ servers: cluster.servers, tls: tlsOf(cluster), sealer: new Sealer(secret), onNote },
    ...{ node: cluster.node, boot: randomBytes(16).toString("hex"), address: "none", onFault: () => {} },
  });
  try {
    await store.open();
    return await run(store);
  } finally {
    await store.close();
  }
}

async function holdsAnother(store: EtcdStore): Promise<CopyRefused> {
  const held = await store.venue();
  if (held === undefined) return partOfLog(store);
  return new CopyRefused(
    `The store holds the log of venue ${held.venueId} from seq ${held.base.seq} on. If that is not wanted any ` +
      `more, remove it while no node runs, with: etcdctl del --prefix ${store.prefix}/.`,
  );
}

/** Goes through the whole chain; throws LogDamaged where it breaks. */
function verify(dir: string): void {
  const reader = new LogReader(dir);
  try {
    for (const _ of reader.groups());
  } finally {
    reader.close();
  }
}
