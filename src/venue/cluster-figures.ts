/** What a node of several measures of the log that it shares. */
import type { Labels, MetricsRegistry } from "./metrics.ts";
import type { StoreStanding } from "./store-guard.ts";

export interface ClusterSource {
  readonly isLeading: boolean;
  readonly progress: {
    readonly waitsMs: number;
    readonly lagMs: number;
    readonly silentMs: number;
    readonly term: number;
  };
  /** Undefined before the first look. */
  readonly store: StoreStanding | undefined;
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
  const ofStore = (read: (store: StoreStanding) => number) => (cluster: ClusterSource) =>
    cluster.store === undefined ? 0 : read(cluster.store);
  gauge(
    "bourse_cluster_servers_down",
    "etcd servers that do not answer this node.",
    ofStore(({ servers }) => servers.filter(({ isAnswering }) => !isAnswering).length),
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
}
