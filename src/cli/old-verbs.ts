/** Verbs as they were called before. They go on working for one version, with a notice on standard error. */
import type { Command } from "commander";

interface OldVerb {
  readonly old: string;
  readonly now: string;
}

/** `asset list` and `market list` show what there is; given what only a new one has, they mean what they once meant. */
const OLD_VERBS: readonly OldVerb[] = [
  { old: "markets", now: "market list" },
  { old: "maintenance plan", now: "maintenance create" },
  { old: "asset list", now: "asset create" },
  { old: "market list", now: "market create" },
];

/** The words of a command line as the verbs are called now, with a notice when they were called otherwise. */
export function presentWords(
  program: Command,
  words: readonly string[],
): { words: readonly string[]; notice?: string } {
  const found = OLD_VERBS.find(({ old, now }) => {
    const said = old.split(" ");
    if (!said.every((word, at) => words[at] === word)) return false;
    const still = commandOf(program, said);
    return still === undefined || hasOptionsOf(words.slice(said.length), still, commandOf(program, now.split(" ")));
  });
  if (found === undefined) return { words };
  const { old, now } = found;
  return {
    words: [...now.split(" "), ...words.slice(old.split(" ").length)],
    notice: `bourse ${old} is now bourse ${now}; the old name goes away with the next version.`,
  };
}

/** Whether something is given that `still` does not take, and `now` does. */
function hasOptionsOf(words: readonly string[], still: Command, now: Command | undefined): boolean {
  const takes = (command: Command | undefined, word: string) =>
    command?.options.some(({ long }) => long === word.replace(/=.*/s, "")) === true;
  return words.some((word) => word.startsWith("--") && !takes(still, word) && takes(now, word));
}

function commandOf(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((each) => each.name() === word),
    program,
  );
}
