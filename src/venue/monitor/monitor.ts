/**
 * Watches the venue's own figures: keeps them over time, and fires alerts. Nothing of it is in the log, and nothing
 * waits for it.
 */
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { AdminMonitor } from "../../gateway/admin/backend.ts";
import { ALERT_RULES } from "./alert-rules.ts";
import { type Alert, Alerts, type KeptAlerts } from "./alerts.ts";
import { type FigureSources, KEPT_FIGURES } from "./figures.ts";
import { type Figures, Sample } from "./sample.ts";
import { type KeptSeries, Series, SPANS, type Span } from "./series.ts";

/** As often as the finest span has steps. */
const BEAT_MS = SPANS.hour.stepMs;
/** A crash loses this much of the curves. */
const KEEP_MS = 300_000;
/**
 * Envelope codes that have a curve of their own; a client can cause only those that the contract has, and no more than
 * these.
 */
const CODES_MAX = 64;

const FILE = "monitor.json";
const FORM = 1;

interface KeptFile {
  readonly form: number;
  readonly series: Readonly<Record<string, KeptSeries>>;
  readonly refusals: Readonly<Record<string, KeptSeries>>;
  readonly alerts: KeptAlerts;
}

export interface MonitorOptions {
  readonly figures: Figures;
  readonly sources: FigureSources;
  /** The data directory; undefined in memory. */
  readonly folder: string | undefined;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** ms; the machine's clock unless given. */
  readonly machineNow?: (() => number) | undefined;
}

export class Monitor implements AdminMonitor {
  readonly #options: MonitorOptions;
  readonly #series = new Map(KEPT_FIGURES.map(({ name }) => [name, new Series()]));
  /** Refused requests by envelope code. */
  readonly #refusals = new Map<string, Series>();
  readonly #alerts: Alerts;
  readonly #now: () => number;
  #before: Sample | undefined;
  #hasFailed = false;
  #timers: readonly NodeJS.Timeout[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#now = options.machineNow ?? Date.now;
    this.#alerts = new Alerts(ALERT_RULES, (alert) => this.#tell(alert));
    this.#load();
  }

  start(): void {
    this.#lookSafely();
    const beat = setInterval(() => this.#lookSafely(), BEAT_MS);
    const keep = setInterval(() => void this.keep(), KEEP_MS);
    this.#timers = [beat.unref(), keep.unref()];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.keep();
  }

  /** Looks at the figures. A failure is no reason for a venue to stop; the log is told once. */
  #lookSafely(): void {
    try {
      this.look();
    } catch (err) {
      if (!this.#hasFailed) this.#options.log.error({ err }, "the venue's figures could not be looked at");
      this.#hasFailed = true;
    }
  }

  look(): void {
    const { figures, sources } = this.#options;
    const now = new Sample(figures, this.#now(), this.#before);
    for (const { name, read } of KEPT_FIGURES) this.#series.get(name)?.add(now.atMs, read(now, sources));
    for (const [code, rate] of now.ratesBy("bourse_http_answers_total", "code")) {
      if (code === "0" || code === "none" || Number.isNaN(rate)) continue;
      const series = this.#refusals.get(code) ?? new Series();
      if (!this.#refusals.has(code) && this.#refusals.size < CODES_MAX) this.#refusals.set(code, series);
      series.add(now.atMs, rate);
    }
    this.#alerts.look(now);
    this.#before = now;
  }

  series(span: Span): ReturnType<AdminMonitor["series"]> {
    const nowMs = this.#now();
    const { stepMs } = SPANS[span];
    const figures = KEPT_FIGURES.map(({ name, words, unit }) => ({
      ...{ name, words, unit },
      values: this.#series.get(name)?.values(span, nowMs) ?? [],
    }));
    const refusals = Array.from(this.#refusals, ([code, series]) => ({ code, values: series.values(span, nowMs) }));
    return { stepMs, endedAt: (Math.floor(nowMs / stepMs) + 1) * stepMs, figures, refusals };
  }

  alerts(): readonly Alert[] {
    return this.#alerts.list();
  }

  acknowledge(alertId: number, by: string, note: string): Alert | undefined {
    return this.#alerts.acknowledge(alertId, by, note, this.#now());
  }

  /** Writes down what there is. It may fail: curves are worth no venue that stops. */
  async keep(): Promise<void> {
    const { folder, log } = this.#options;
    if (folder === undefined) return;
    await this.#writing;
    this.#writing = this.#write(join(folder, FILE)).catch((err: unknown) =>
      log.warn({ err }, "the figures over time could not be written; they are kept in memory"),
    );
    await this.#writing;
  }

  async #write(path: string): Promise<void> {
    const kept = (all: ReadonlyMap<string, Series>) =>
      Object.fromEntries(Array.from(all, ([name, series]) => [name, series.keep()]));
    const file: KeptFile = {
      ...{ form: FORM, series: kept(this.#series), refusals: kept(this.#refusals) },
      alerts: this.#alerts.keep(),
    };
    await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Loads the kept figures and alerts. A file that cannot be read counts as absent: it is no evidence of anything. */
  #load(): void {
    const { folder, log } = this.#options;
    if (folder === undefined) return;
    try {
      const { form, series, refusals, alerts } = JSON.parse(readFileSync(join(folder, FILE), "utf8")) as KeptFile;
      if (form !== FORM) return;
      for (const [name, kept] of Object.entries(series)) this.#series.get(name)?.load(kept);
      for (const [code, kept] of Object.entries(refusals).slice(0, CODES_MAX)) {
        const one = new Series();
        one.load(kept);
        this.#refusals.set(code, one);
      }
      this.#alerts.load(alerts);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ENOENT") return;
      log.warn({ err }, "the figures over time could not be read, and begin anew");
    }
  }

  #tell({ alertId, name, severity, summary, action, labels, endedAt }: Alert): void {
    const { log } = this.#options;
    const what = { alert: name, alertId, labels };
    if (endedAt !== undefined) log.info(what, `the alert has ended: ${summary}`);
    else if (severity === "page") log.error({ ...what, action }, `alert: ${summary}`);
    else log.warn({ ...what, action }, `alert: ${summary}`);
  }
}
