/**
 * Figures of quotas that nodes share: whether they do, how many, and what it costs. There are none where quotas are
 * those of this process.
 */
import type { SharedCounts } from "../gateway/limits/shared/shared-quotas.ts";
import type { Histogram, Labels, MetricsRegistry } from "./metrics.ts";

const TRIP_BOUNDS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02];

/** Gives what takes the time of each trip. */
export function registerQuotaFigures(registry: MetricsRegistry, source: () => SharedCounts | undefined): Histogram {
  const read = (figure: (counts: SharedCounts) => number) => (): [Labels, number][] => {
    const counts = source();
    return counts === undefined ? [] : [[{}, figure(counts)]];
  };
  const register = (type: "counter" | "gauge", name: string, help: string, figure: (counts: SharedCounts) => number) =>
    registry.read(type, name, help, read(figure));
  register(
    "gauge",
    "bourse_quotas_shared",
    "1 while quotas are shared with other nodes, 0 while this one is apart.",
    (counts) => (counts.isShared ? 1 : 0),
  );
  register("gauge", "bourse_quota_nodes", "Nodes that share quotas, as last heard.", ({ nodes }) => nodes);
  register(
    "counter",
    "bourse_quota_partings_total",
    "Times that this node had to go on by itself.",
    (counts) => counts.partings,
  );
  register(
    "counter",
    "bourse_quota_unanswered_total",
    "Checks that waited for the server and were decided here.",
    (counts) => counts.unanswered,
  );
  return registry.histogram("bourse_quota_trip_seconds", "Time of a trip to the server of shared quotas.", TRIP_BOUNDS);
}
