/** The `bourse` command. */
import { CommanderError } from "commander";
import { EXIT, endOf } from "./exit.ts";
import { programOf, usageSentence } from "./program.ts";

// Whoever reads the output may stop early, as `head` does; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});

try {
  await programOf().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    const sentence = usageSentence(error);
    if (sentence !== undefined) process.stderr.write(`bourse: ${sentence}\n`);
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  } else {
    const { sentence, exitCode } = endOf(error);
    process.stderr.write(`bourse: ${sentence}\n`);
    // A venue that did not come up may have left threads behind.
    process.exit(exitCode);
  }
}
