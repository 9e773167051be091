/**
 * For anyone who ends a connection because nothing came in time: calls back once all that has come by now is read.
 * After a stall of the process (a machine that sleeps, swaps or is overloaded) timers are due before any connection is
 * looked at, and all that was sent meanwhile would be late.
 */
export function readFirst(then: () => void): void {
  setImmediate(then);
}
