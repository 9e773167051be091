/** Whether somebody sits before the page: what it asks for by itself must not keep a session alive that nobody uses. */

const AWAY_MS = 10 * 60_000;

let touchedMs = performance.now();
for (const event of ["pointerdown", "pointermove", "keydown", "scroll"] as const) {
  addEventListener(event, () => (touchedMs = performance.now()), { passive: true, capture: true });
}

export function isPresent(): boolean {
  return !document.hidden && performance.now() - touchedMs < AWAY_MS;
}
