/**
 * The health checks for supervisors and load balancers, on every listener and without a token: whether the process runs
 * (`/livez`), and whether it serves (`/readyz`). They are answered before anything else, also while the venue starts
 * and stops.
 */
import { GATEWAY_ROWS } from "../refusal-rows.ts";

export type Phase = "starting" | "serving" | "stopping";

export interface Health {
  readonly status: 200 | 503;
  /** JSON: {status: "ok"} or {status: "unavailable", reason}. */
  readonly text: string;
}

const OK: Health = { status: 200, text: '{"status":"ok"}' };

/**
 * The answer to GET at `path`; undefined when it asks for something else. `trouble`: why a venue that is open serves
 * nothing.
 */
export function healthAt(path: string, phase: Phase, trouble?: string): Health | undefined {
  if (path === "/livez") return OK;
  if (path !== "/readyz") return undefined;
  if (phase === "serving" && trouble === undefined) return OK;
  const reason = phase === "serving" ? trouble : GATEWAY_ROWS[phase].message;
  return { status: 503, text: JSON.stringify({ status: "unavailable", reason }) };
}
