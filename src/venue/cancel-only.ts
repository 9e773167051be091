import type { Action, ActionQuery } from "../gateway/admin/backend.ts";

/**
 * Whether it was `actor` who let the venue take cancels only, in this process or one before it, and nobody else wanted
 * it since.
 */
export function isCancelOnlyBy(trail: { list(query: ActionQuery): readonly Action[] }, actor: string): boolean {
  try {
    const [last] = trail.list({ action: "set_cancel_only", accepted: true, limit: 1, offset: 0 });
    return last?.actor === actor && last.details["cancelOnly"] === true;
  } catch {
    // A trail that cannot be read yet is asked at the next look.
    return false;
  }
}
