/** Figures of a node of several about the log that it shares. */
import type { StoreServer, StoreStatus } from "../cluster/store.ts";
import type { Labels, MetricsRegistry } from "./metrics.ts";

export interface ClusterSource {
  readonly isLeading: boolean;
  readonly progress: {
    readonly waitsMs: number;
    readonly lagMs: number;
    readonly silentMs: number;
    readonly term: number;
  };
  /** Undefined: there is none. */
  readonly archived: { readonly missing: number; readonly isUp: boolean } | undefined;
  /** Undefined before the first look. */
  readonly store: StoreStatus | undefined;
}

export function registerClusterFigures(registry: MetricsRegistry, source: () => ClusterSource | undefined): void {
  const gauge = (name: string, help: string, read: (cluster: ClusterSource) => number) =>
    registry.read("gauge", name, help, function* () {
      const cluster = source();
      if (cluster !== undefined) yield [{}, read(cluster)] as [Labels, number];
    });
  gauge("bourse_cluster_leads", "1 while this node leads.", ({ isLeading }) => (isLeading ? 1 : 0));
  gauge(
    "bourse_cluster_term",
    "Revision of the store at which the leader began to lead.",
    ({ progress }) => progress.term,
  );
  gauge(
    "bourse_cluster_waiting_seconds",
    "For how long nothing that waits on this node has come into the log.",
    ({ progress }) => progress.waitsMs / 1_000,
  );
  gauge(
    "bourse_cluster_lag_seconds",
    "How long after it was put in order this node applied its last group.",
    ({ progress }) => progress.lagMs / 1_000,
  );
  gauge(
    "bourse_cluster_silent_seconds",
    "For how long this node has not heard of what comes into the store.",
    ({ progress }) => progress.silentMs / 1_000,
  );
  const ofStore = (read: (store: StoreStatus) => number) => (cluster: ClusterSource) =>
    cluster.store === undefined ? 0 : read(cluster.store);
  gauge(
    "bourse_cluster_servers_down",
    "etcd servers that do not answer this node, or have lost the others.",
    ofStore(({ servers }) => servers.filter(({ isAnswering, hasLeader }) => !isAnswering || !hasLeader).length),
  );
  gauge(
    "bourse_cluster_store_bytes",
    "What the fullest etcd server holds.",
    ofStore(({ servers }) => Math.max(0, ...servers.map(({ usedBytes }) => usedBytes))),
  );
  gauge(
    "bourse_cluster_alarms",
    "Alarms that etcd has raised.",
    ofStore(({ alarms }) => alarms.length),
  );
  const ofArchive = (name: string, help: string, read: (archived: NonNullable<ClusterSource["archived"]>) => number) =>
    registry.read("gauge", name, help, function* () {
      const archived = source()?.archived;
      if (archived !== undefined) yield [{}, read(archived)] as [Labels, number];
    });
  ofArchive("bourse_cluster_archive_up", "1 while the shared archive of the log takes files.", ({ isUp }) =>
    isUp ? 1 : 0,
  );
  ofArchive(
    "bourse_cluster_archive_missing_commands",
    "Commands of complete spans that this node has not seen in the shared archive of the log.",
    ({ missing }) => missing,
  );
  const ofServers = (name: string, help: string, read: (server: StoreServer) => number | undefined) =>
    registry.read("gauge", name, help, function* () {
      for (const server of source()?.store?.servers ?? []) {
        const value = read(server);
        if (value !== undefined) yield [{ server: server.host }, value] as [Labels, number];
      }
    });
  ofServers(
    "bourse_cluster_server_up",
    "1 while an etcd server answers this node and has not lost the others, by server.",
    ({ isAnswering, hasLeader }) => (isAnswering && hasLeader ? 1 : 0),
  );
  ofServers("bourse_cluster_server_leads", "1 of the etcd server that leads the others, by server.", ({ isLeader }) =>
    isLeader ? 1 : 0,
  );
  ofServers(
    "bourse_cluster_server_file_bytes",
    "What the file of an etcd server takes on its disk, by which its quota is reckoned, by server.",
    ({ isAnswering, fileBytes }) => (isAnswering ? fileBytes : undefined),
  );
}
