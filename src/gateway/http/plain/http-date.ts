/** The time of an answer as HTTP writes it. Source: RFC 9110, 6.6.1. */

let second = 0;
let text = "";

/** `Wed, 25 Nov 2026 19:00:00 GMT`, made once a second. */
export function httpDate(nowMs: number): string {
  const at = Math.floor(nowMs / 1_000);
  if (at !== second) {
    second = at;
    text = new Date(nowMs).toUTCString();
  }
  return text;
}
