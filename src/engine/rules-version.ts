/**
 * Raised whenever the same commands would come to something else: another outcome, another event, another state. A log says from
 * which command on which rules hold; see docs/architecture.md. What an older version did stays behind its number.
 */
export const RULES_VERSION = 1;
