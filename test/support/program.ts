/** The program as a process of its own. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/**
 * The file to start: in a ring of tests its bundle (scripts/testing/bundles.ts), which takes half the processor time.
 * A caller that loads something before the program, such as a planted fault, gets the source.
 */
export function mainProgram(env: NodeJS.ProcessEnv = process.env): string {
  const folder = process.env["BOURSE_TEST_BUNDLES"];
  const isPlain = env["NODE_OPTIONS"] === process.env["NODE_OPTIONS"];
  return folder === undefined || !isPlain ? SOURCE : join(folder, "src-cli-main.js");
}
