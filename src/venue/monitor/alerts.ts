/** Alerts that fire, are acknowledged by an operator, and end. */
import type { MonitorAlert } from "../../gateway/admin/backend.ts";
import type { Labels } from "../metrics.ts";
import type { AlertRule } from "./alert-rules.ts";
import type { Sample } from "./sample.ts";

/** Ended ones that are still listed; beyond it the oldest goes. */
const ENDED_MAX = 200;
/** Labels come from listings, which are few; this bound is for a venue with more markets than anybody can look at. */
const FIRING_MAX = 1_000;

/** An alert ends when nothing was found for so long, ms: what comes and goes is one alert. */
const LINGER_MS = 60_000;

/** Times are the machine's, ms. */
export type Alert = MonitorAlert;

export interface KeptAlerts {
  readonly nextId: number;
  /** Oldest first. */
  readonly alerts: readonly Alert[];
}

export class Alerts {
  readonly #rules: readonly AlertRule[];
  readonly #onChange: (alert: Alert) => void;
  /** Since when what a rule finds is so, by rule and labels. */
  #since = new Map<string, number>();
  /** When it was found last, of those that fire. */
  readonly #seen = new Map<string, number>();
  readonly #firing = new Map<string, Alert>();
  #ended: readonly Alert[] = [];
  #nextId = 1;

  /** `onChange` hears of each alert that begins or ends. */
  constructor(rules: readonly AlertRule[], onChange: (alert: Alert) => void) {
    this.#rules = rules;
    this.#onChange = onChange;
  }

  look(sample: Sample): void {
    const { atMs } = sample;
    const since = new Map<string, number>();
    for (const rule of this.#rules) {
      for (const { labels, summary } of rule.find(sample)) {
        const key = keyOf(rule.name, labels);
        const from = this.#since.get(key) ?? atMs;
        since.set(key, from);
        this.#seen.set(key, atMs);
        const firing = this.#firing.get(key);
        if (firing !== undefined) this.#firing.set(key, { ...firing, summary });
        else if (atMs - from >= rule.forMs && this.#firing.size < FIRING_MAX) {
          const { name, severity, action } = rule;
          const begun: Alert = { alertId: this.#nextId++, name, severity, labels, summary, action, beganAt: atMs };
          this.#firing.set(key, begun);
          this.#onChange(begun);
        }
      }
    }
    this.#since = since;
    for (const key of this.#seen.keys()) if (!since.has(key) && !this.#firing.has(key)) this.#seen.delete(key);
    for (const [key, alert] of this.#firing) {
      const seen = this.#seen.get(key) ?? atMs;
      this.#seen.set(key, seen);
      if (atMs - seen < LINGER_MS) continue;
      this.#seen.delete(key);
      this.#firing.delete(key);
      const ended = { ...alert, endedAt: atMs };
      this.#ended = [...this.#ended, ended].slice(-ENDED_MAX);
      this.#onChange(ended);
    }
  }

  /** Those that fire first, each newest first. */
  list(): readonly Alert[] {
    return [...[...this.#firing.values()].sort(byNewest), ...[...this.#ended].sort(byNewest)];
  }

  find(alertId: number): Alert | undefined {
    return this.list().find((alert) => alert.alertId === alertId);
  }

  acknowledge(alertId: number, by: string, note: string, at: number): Alert | undefined {
    const acknowledged = { by, at, note };
    for (const [key, alert] of this.#firing) {
      if (alert.alertId !== alertId) continue;
      const seen = { ...alert, acknowledged };
      this.#firing.set(key, seen);
      return seen;
    }
    this.#ended = this.#ended.map((alert) => (alert.alertId === alertId ? { ...alert, acknowledged } : alert));
    return this.find(alertId);
  }

  keep(): KeptAlerts {
    return { nextId: this.#nextId, alerts: [...this.#ended, ...this.#firing.values()] };
  }

  load({ nextId, alerts }: KeptAlerts): void {
    this.#nextId = nextId;
    this.#ended = alerts.filter(({ endedAt }) => endedAt !== undefined).slice(-ENDED_MAX);
    for (const alert of alerts) {
      if (alert.endedAt !== undefined) continue;
      const key = keyOf(alert.name, alert.labels);
      this.#firing.set(key, alert);
      this.#since.set(key, alert.beganAt);
      // Nobody looked while the venue was away: from the first look on it lingers as all do.
    }
  }
}

function keyOf(name: string, labels: Labels): string {
  return `${name} ${JSON.stringify(labels)}`;
}

function byNewest(one: Alert, other: Alert): number {
  return other.alertId - one.alertId;
}
