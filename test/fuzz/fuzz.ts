/** `npm run fuzz -- --requests N [--seed S] [--only current|legacy|sockets|admin]`: as long a look as fuzz.test.ts is short. */
import { parseArgs } from "node:util";
import { FUZZ_KINDS, FuzzFailure, fuzz } from "./fuzz-run.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const only = FUZZ_KINDS.find((kind) => kind === values.only);
if (values.only !== undefined && only === undefined) {
  console.error(`--only must be one of ${FUZZ_KINDS.join(", ")}.`);
  process.exit(2);
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
    `${report.cases} cases of seed ${values.seed} over ${report.names.size} names in ${seconds} s: no answer of 500 or above, ` +
      `no hang, no exit; ${report.hashed} refused ones left the state as it was; invariants hold; ` +
      `memory grew by ${Math.round(report.residentGrowthBytes / 1_048_576)} MiB.`,
  );
} catch (error) {
  if (!(error instanceof FuzzFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
