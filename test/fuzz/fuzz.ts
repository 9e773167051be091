/**
 * `npm run tool fuzz -- --requests N [--seed S] [--only current|legacy|sockets|admin]`: as long a look as fuzz.test.ts
 * is short. `npm run tool fuzz -- --resets N [--seed S]`: so many connections that clients end in any state, at a venue
 * of each profile and behind nginx.
 */
import { parseArgs } from "node:util";
import { NO_NGINX } from "../support/nginx.ts";
import { SCENES, Scene, sever } from "../support/severed.ts";
import { FUZZ_KINDS, FuzzFailure, fuzz } from "./fuzz-run.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    resets: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const only = FUZZ_KINDS.find((kind) => kind === values.only);
if (values.only !== undefined && only === undefined) {
  console.error(`--only must be one of ${FUZZ_KINDS.join(", ")}.`);
  process.exit(2);
}
if (values.resets !== undefined) {
  await resets(Number(values.resets), Number(values.seed));
  process.exit();
}
try {
  const started = performance.now();
  const report = await fuzz({
    requests: Number(values.requests),
    seed: Number(values.seed),
    only,
    onProgress: (played) => console.log(`${played} played`),
  });
  const codes = [...report.codes].sort(([left], [right]) => left - right).map(([code, times]) => `${code}: ${times}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`codes answered  ${codes.join(", ")}`);
  console.log(
    `${report.cases} cases of seed ${values.seed} over ${report.names.size} names in ${seconds} s: no answer of ` +
      "500 or above, " +
      `no hang, no exit; ${report.hashed} refused ones left the state as it was; invariants hold; ` +
      `memory grew by ${Math.round(report.residentGrowthBytes / 1_048_576)} MiB.`,
  );
} catch (error) {
  if (!(error instanceof FuzzFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Ends with an exception when a venue does not live through it. */
async function resets(connections: number, seed: number): Promise<void> {
  for (const name of SCENES) {
    if (name === "nginx" && NO_NGINX !== false) {
      console.log(NO_NGINX);
      continue;
    }
    const scene = await Scene.open(name);
    try {
      await sever(scene, { connections, seed, onProgress: (done) => console.log(`${name}: ${done} ended`) });
      console.log(
        `${name}: ${connections} connections of seed ${seed} ended in any state; the venue lives and holds none.`,
      );
    } finally {
      await scene.end();
    }
  }
}
