/** The `bourse` command. */
import { CommanderError } from "commander";
import { complaintText, EXIT, endOf } from "./exit.ts";
import { presentWords } from "./old-verbs.ts";
import { programOf, usageSentence } from "./program.ts";

// Whoever reads the output may stop early, as `head` does; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});

const program = programOf();
const { words, notice } = presentWords(program, process.argv.slice(2));
const asJson = words.includes("--json");
if (notice !== undefined) process.stderr.write(`bourse: ${notice}\n`);

try {
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  if (error instanceof CommanderError) {
    const sentence = usageSentence(error);
    const exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (sentence !== undefined) process.stderr.write(complaintText({ sentence, exitCode }, asJson));
    process.exitCode = exitCode;
  } else {
    const end = endOf(error);
    process.stderr.write(complaintText(end, asJson));
    // A venue that did not come up may have left threads behind.
    process.exit(end.exitCode);
  }
}
