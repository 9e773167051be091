/** The venue's figures as they are now, read on a beat for as long as the console is open. */
import { createSignal } from "solid-js";
import { currentCsrf } from "../api/client.ts";
import { isPresent } from "./presence.ts";
import { operator } from "./session.ts";

const BEAT_MS = 3_000;
const LINE = /^(\w+)(?:\{.*\})? (\S+)$/;

/** The sum of each figure over all its labels. */
const [sums, setSums] = createSignal<ReadonlyMap<string, number>>(new Map());
const [isHeard, setIsHeard] = createSignal(true);

export { isHeard };

/** A figure by its name, over all its labels; 0 where there is none. */
export function figure(name: string): number {
  return sums().get(name) ?? 0;
}

async function read(): Promise<void> {
  if (!isPresent() || operator() === undefined) return;
  const answer = await fetch("/admin/metrics", {
    headers: { "x-bourse-csrf": currentCsrf() ?? "" },
    signal: AbortSignal.timeout(BEAT_MS * 2),
  });
  if (!answer.ok) throw new Error(`The figures came with status ${answer.status}.`);
  const now = new Map<string, number>();
  for (const line of (await answer.text()).split("\n")) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name !== undefined) now.set(name, (now.get(name) ?? 0) + Number(value));
  }
  setSums(now);
}

function readQuietly(): void {
  read().then(
    () => setIsHeard(true),
    () => setIsHeard(false),
  );
}

setInterval(readQuietly, BEAT_MS);

/** To be called when somebody has signed in: the header shows how the venue stands at once. */
export { readQuietly as readFigures };
