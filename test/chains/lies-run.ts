/**
 * `npm run tool lies -- [--rounds N] [--seed S]` plays N rounds against a lying node in each of its places, 100 rounds
 * a seed, and says what came of it. Ends with code 1 when money moved that must not.
 */
import { parseArgs } from "node:util";
import { PLACES, playLies } from "./lies.ts";

const ROUNDS_A_SEED = 100;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
const [rounds, first] = [Number(values.rounds), Number(values.seed)];
if (![rounds, first].every((value) => Number.isSafeInteger(value) && value > 0)) {
  process.stderr.write("--rounds and --seed are whole numbers above 0.\n");
  process.exit(2);
}
let breaches = 0;
for (const place of PLACES) {
  const total = new Map<string, number>();
  for (let played = 0, seed = first; played < rounds; played += ROUNDS_A_SEED, seed++) {
    const { breach, counts } = await playLies(seed, place, Math.min(ROUNDS_A_SEED, rounds - played));
    for (const [name, times] of counts) total.set(name, (total.get(name) ?? 0) + times);
    if (breach === undefined) continue;
    breaches++;
    process.stdout.write(`seed ${seed}, the liar is the ${place} node: ${breach}\n`);
  }
  const lies = [...total].filter(([name]) => name.startsWith("eth_")).reduce((sum, [, times]) => sum + times, 0);
  const others = [...total].filter(([name]) => !name.startsWith("eth_")).map(([name, times]) => `${name} ${times}`);
  process.stdout.write(`${place}: ${rounds} rounds, ${lies} lies of ${total.size} kinds; ${others.join(", ")}\n`);
}
process.exit(breaches === 0 ? 0 : 1);
