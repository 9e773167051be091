/** `bourse cluster adopt`: the log of a folder goes into an empty store, from which several nodes go on with it. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hexOf } from "../cluster/entry.ts";
import { EtcdStore } from "../cluster/etcd/etcd-store.ts";
import { Sealer } from "../cluster/frame.ts";
import { CopyRefused } from "../cluster/joining.ts";
import { OwnLog } from "../cluster/own-log.ts";
import { openDataDir } from "../log/data-dir.ts";
import { LogReader } from "../log/reader.ts";
import { tlsOf } from "./assembly/storage.ts";
import { vaultFromElsewhere } from "./sealing-key.ts";
import { type Settings, SettingsError } from "./settings.ts";

/** What nodes of earlier versions kept beside the log. */
const STANDING_FILE = "standing.json";

export interface Adopted {
  readonly venueId: string;
  /** Where the log ends, and with which hash. */
  readonly seq: number;
  readonly hash: string;
}

/** Throws CopyRefused when the store holds a log already, LogDamaged when that of the folder is not sound, DataDirLocked when a venue runs on it. */
export async function adoptLog(settings: Settings, note: (text: string) => void): Promise<Adopted> {
  const { cluster, data, secretKey } = settings;
  const vault = vaultFromElsewhere(secretKey);
  if (cluster === undefined || vault === undefined)
    throw new SettingsError(
      "Say which etcd servers the log goes to with log, and give the nodes' key with secret-key.",
    );
  const dataDir = openDataDir(data);
  let store: EtcdStore | undefined;
  try {
    const own = await OwnLog.open(dataDir, { onStored: () => {}, onFault: () => {} });
    await own.close();
    if (own.checked === undefined)
      throw new CopyRefused(
        `There is no log in ${data}; an empty store and an empty folder make a new venue by themselves.`,
      );
    const { venueId } = own.checked;
    verify(data);
    const { seq, hash, timeMs } = own.tail;
    store = new EtcdStore({
      ...{ servers: cluster.servers, tls: tlsOf(cluster), sealer: new Sealer(vault.secret), onNote: note },
      ...{ node: cluster.node, boot: randomBytes(16).toString("hex"), address: "none", onFault: () => {} },
    });
    await store.open();
    await store.found(venueId, { place: 0, seq, hash: hexOf(hash), timeMs });
    const held = await store.venue();
    if (held?.venueId !== venueId || held.base.seq !== seq || held.base.hash !== hexOf(hash)) {
      throw new CopyRefused(
        `The store holds the log of venue ${held?.venueId} from seq ${held?.base.seq} on. If that is not wanted any more, remove it while no node runs, with: etcdctl del --prefix ${store.prefix}/.`,
      );
    }
    rmSync(join(dataDir.path, STANDING_FILE), { force: true });
    return { venueId, seq, hash: hexOf(hash) };
  } finally {
    await store?.close();
    dataDir.release();
  }
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
