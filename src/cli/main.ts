/** The `bourse` command. */
import { EXIT } from "./exit.ts";
import { runBourse } from "./run.ts";

// Whoever reads the output may stop early, as `head` does; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});

const failed = await runBourse(process.argv.slice(2));
if (failed?.atOnce === true) process.exit(failed.exitCode);
if (failed !== undefined) process.exitCode = failed.exitCode;
