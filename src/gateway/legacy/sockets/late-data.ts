import { fromHistory } from "../../reading/from-history.ts";
import { Refused } from "../../refused.ts";
import type { LateAnswer } from "../../ws/methods.ts";
import { notServed } from "../../ws/refused.ts";

/** An answer out of history, or that there is none now. `print` gives it as JSON. */
export async function lateData<Found>(asked: Promise<Found>, print: (found: Found) => string): Promise<LateAnswer> {
  const found = await fromHistory(asked);
  return found instanceof Refused ? notServed(found) : { data: print(found) };
}
