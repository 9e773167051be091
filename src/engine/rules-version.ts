/**
 * Raised whenever the same commands would come to something else: another outcome, another event, another state, or a command
 * that was unknown before. The log says from which command on which rules hold (`begin_epoch`); a log that says nothing was
 * made under version 1. What an older version did stays behind its number, `state.rulesVersion`, so that yesterday's commands
 * come to what they came to yesterday; `test/golden` holds the program to that.
 */
export const RULES_VERSION = 1;

/** The oldest rules that are still in this program. Commands made under older ones are sealed: only their chain can be verified. */
export const OLDEST_RULES_VERSION = 1;

/** The release that has each version of the rules, the newest of those that do. */
export const RELEASE_OF_RULES: Readonly<Record<number, string>> = { 1: "0.1.0" };
