/** The operator's interface on a socket in the data directory. */
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { HttpServer } from "../gateway/http/server.ts";

/** Its name in the directory. */
export const LOCAL_SOCKET = "admin-socket";
/** Longer paths are no addresses of sockets. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * Anyone who may read the directory can reach the operator's interface without a port; the token is asked for all the
 * same.
 */
export async function listenLocally(server: HttpServer, folder: string, log: Logger): Promise<void> {
  // Windows knows pipes, but none in a directory.
  if (process.platform === "win32") return;
  const path = join(folder, LOCAL_SOCKET);
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    log.warn(
      { path },
      "the path of the data directory is too long for a socket in it: the admin interface has its port only",
    );
    return;
  }
  // The directory is ours alone: what is there was left by a process that did not stop.
  rmSync(path, { force: true });
  try {
    await server.listenAt(path);
  } catch (error) {
    // Some disks, such as those that a container shares with its host, keep no sockets.
    log.warn(
      { path, err: error },
      "the disk of the data directory keeps no socket: the admin interface has its port only",
    );
    return;
  }
  chmodSync(path, 0o600);
}
