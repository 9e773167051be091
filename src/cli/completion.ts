/** `bourse completion bash|zsh`: what a shell needs to complete verbs and options, made from the verbs themselves. */
import { Argument, type Command } from "commander";
import { DEFAULT_VERBS } from "./admin-verbs.ts";

export function addCompletionVerb(program: Command): void {
  program
    .command("completion")
    .summary("make a shell complete verbs and options")
    .description(
      'Print what makes a shell complete verbs and options. For bash: eval "$(bourse completion bash)"; zsh likewise.',
    )
    .addArgument(new Argument("<SHELL>", "the shell").choices(["bash", "zsh"]))
    .action((shell: string) => {
      process.stdout.write(shell === "bash" ? bashScript(program) : zshScript(program));
    });
}

/** Returns the words that may follow the words of a verb: further verbs, and options. `""` stands for no word yet. */
function followersOf(program: Command): Map<string, readonly string[]> {
  const followers = new Map<string, readonly string[]>();
  const enter = (command: Command, words: string) => {
    const verbs = command.commands.map((each) => each.name());
    // --help is an option of every command, and hidden from the list.
    const meant = command.commands.find((each) => DEFAULT_VERBS.has(`${words} ${each.name()}`));
    const options = [...command.options, ...(meant?.options ?? [])].map(({ long }) => long ?? "").concat("--help");
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    followers.set(words, [...verbs, ...(words === "" ? ["help"] : []), ...choices, ...options]);
    for (const each of command.commands) enter(each, `${words} ${each.name()}`.trim());
  };
  enter(program, "");
  return followers;
}

/** Words of the options whose value is a file or a directory. */
const PATH_OPTIONS = ["--data", "--from", "--config", "--to", "--backups", "--with", "--junit"];

function bashScript(program: Command): string {
  const cases = [...followersOf(program)].map(
    ([words, next]) => `    ${quoted(words)}) next=${quoted(next.join(" "))} ;;`,
  );
  return `# Completion of bourse for bash.
_bourse() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words="" word next=""
  case "$before" in
    ${PATH_OPTIONS.join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) break ;;
      *) words="\${words:+$words }$word" ;;
    esac
  done
  case "$words" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -F _bourse bourse
`;
}

/** zsh runs the completion of bash once it is told to. */
function zshScript(program: Command): string {
  return `# Completion of bourse for zsh.
autoload -U +X compinit && compinit -u
autoload -U +X bashcompinit && bashcompinit
${bashScript(program)}`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
