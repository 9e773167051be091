/** The `bourse` command. */
import { complaintText, EXIT, endOf } from "./exit.ts";
import { runBourse } from "./run.ts";

// Anyone who reads the output may stop early, as `head` does; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  const { sentence, exitCode } = endOf(error);
  process.stderr.write(complaintText({ sentence: `The answer cannot be written: ${sentence}`, exitCode }, false));
  process.exit(exitCode);
});

const failed = await runBourse(process.argv.slice(2));
if (failed?.atOnce === true) process.exit(failed.exitCode);
if (failed !== undefined) process.exitCode = failed.exitCode;
