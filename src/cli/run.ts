import { CommanderError } from "commander";
import { complaintText, EXIT, endOf } from "./exit.ts";
import { presentWords } from "./old-verbs.ts";
import { programOf, usageSentence } from "./program.ts";

/** How a command line that did not go well ends. */
export interface Failed {
  readonly exitCode: number;
  /** A venue that did not come up may have left threads behind, which would keep the process alive. */
  readonly atOnce: boolean;
}

/** Carries out `bourse ARGS`, and says on standard error what is wrong; `undefined` when nothing is. */
export async function runBourse(args: readonly string[]): Promise<Failed | undefined> {
  const program = programOf();
  const { words, notice } = presentWords(program, [...args]);
  const asJson = words.includes("--json");
  if (notice !== undefined) process.stderr.write(`bourse: ${notice}\n`);
  try {
    await program.parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) {
      const sentence = usageSentence(error, words);
      const exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      if (sentence !== undefined) process.stderr.write(complaintText({ sentence, exitCode }, asJson));
      return { exitCode, atOnce: false };
    }
    const end = endOf(error);
    process.stderr.write(complaintText(end, asJson));
    return { exitCode: end.exitCode, atOnce: true };
  }
}
