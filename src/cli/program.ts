/** The verbs of the command line and their options. */
import { Command, type CommanderError, Option } from "commander";
import { SETTING_ROWS, type SettingName, type SettingRow } from "../venue/settings.ts";
import { versionOf } from "../venue/version.ts";
import { addAccountVerbs } from "./account.ts";
import { addAdminVerbs } from "./admin-verbs.ts";
import { addArchiveVerb } from "./archive.ts";
import { addAuditVerb } from "./audit.ts";
import { addBackupVerbs } from "./backup.ts";
import { addCandlesVerb } from "./candles.ts";
import { addClusterVerbs } from "./cluster.ts";
import { addCompletionVerb } from "./completion.ts";
import { addConformVerb, addForkVerb, addReplayVerb, addScenarioVerb } from "./lab-verbs.ts";
import { addLogVerb } from "./log.ts";
import { addVerifyLiabilityVerb } from "./verify-liability.ts";

export function programOf(): Command {
  const program = new Command("bourse")
    .description("A trading venue in one program: run it, look into it, and do what its operator does.")
    .version(versionOf())
    .configureOutput({ outputError: () => {} })
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
    // An option belongs to the verb that it stands behind.
    .enablePositionalOptions()
    .commandsGroup("The venue:");
  addStartVerb(program);
  addLogVerb(program);
  addAuditVerb(program);
  addArchiveVerb(program);
  addBackupVerbs(program);
  addForkVerb(program);
  addScenarioVerb(program);
  addConformVerb(program);
  addVerifyLiabilityVerb(program);
  program.commandsGroup("A running venue:");
  addAccountVerbs(program);
  addAdminVerbs(program);
  addClusterVerbs(program);
  addCandlesVerb(program);
  addReplayVerb(program);
  program.commandsGroup("Help:");
  addCompletionVerb(program);
  program.helpCommand("help [verb]", "Show what a verb does.");
  program.addHelpText("after", EPILOGUE);
  return program;
}

const EPILOGUE = `
Verbs for a running venue find it through its data directory (--data DIR), or are told where it is (--admin URL --token
TOKEN). Exit codes: 0 done, 1 refused or failed, 2 wrong usage or settings, 3 the log or the state is damaged, or the
disk is full.`;

function addStartVerb(program: Command): void {
  const command = program
    .command("start")
    .summary("run a venue")
    .description(
      "Run a venue until SIGTERM or Ctrl-C. When it serves, it prints one line: bourse ready URL admin URL.\n" +
        "Every option can also stand in the configuration file, under the same name without the dashes.",
    );
  for (const row of SETTING_ROWS.toSorted((one, other) => groupAt(one.name) - groupAt(other.name))) {
    command.addOption(settingOption(row).helpGroup(GROUPS[groupAt(row.name)]?.[0] ?? "More:"));
  }
  command.action(async () => {
    const given: Record<string, unknown> = {};
    for (const option of command.options) {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (value !== undefined) given[option.name()] = value;
    }
    // Loaded only here: the other verbs need little of what a venue is made of, and are quicker without it.
    const { start } = await import("./start.ts");
    await start(given);
  });
}

/** The groups of settings in the help, in this order; a setting of none is among the last ones. */
const GROUPS: readonly (readonly [string, readonly SettingName[]])[] = [
  [
    "Where it listens and keeps its data:",
    ["port", "host", "admin-port", "admin-host", "data", "history", "config", "profile"],
  ],
  [
    "The dev profile:",
    ["makers", "markets", "past", "seed", "accounts", "clock", "start-time", "frozen", "simulated-chains", "listing"],
  ],
  [
    "The API and its clients:",
    [
      "legacy",
      "compat",
      "strict",
      "service-names",
      "web-origin",
      "trusted-proxies",
      "proxy-header",
      "connections-per-address",
    ],
  ],
  ["Limits:", ["limits", "ip-rate", "group-rates", "long-limits", "long-effective-min", "long-lifespan-min", "quotas"]],
  [
    "People and operators:",
    [
      ...["sign-up", "smtp", "mail-from", "withdraw-review"],
      ...["four-eyes", "four-eyes-recipient", "four-eyes-day", "reopen-authority"],
    ] as SettingName[],
  ],
  ["Backups:", ["backups", "backup-recipient", "backup-passphrase-file", "backup-secrets"]],
  ["Chains and custody:", ["chains", "custody-elsewhere", "on-shortfall", "liabilities-every"]],
  [
    "The process and its log:",
    ["log-level", "log-format", "disk-low", "disk-min", "snapshot-every", "clock-jump", "secret-key"],
  ],
  ["Several nodes:", ["log", "node", "node-address", "log-archive", "log-ca", "log-cert", "log-key"]],
];

function groupAt(name: string): number {
  const at = GROUPS.findIndex(([, names]) => (names as readonly string[]).includes(name));
  return at < 0 ? GROUPS.length : at;
}

function settingOption({ name, values, meaning, dev, production }: SettingRow): Option {
  const defaults = dev === production ? dev : `dev: ${dev}; production: ${production}`;
  // A switch alone is on.
  const value = values === "on|off" ? `[${values}]` : `<${values}>`;
  return new Option(`--${name} ${value}`, `${meaning} (${defaults})`);
}

/**
 * Returns the fault of a command line, as a sentence; undefined when it only asked for help. Commander's own messages
 * are fragments: the words that they name stand between quotes. `words` are what was typed behind `bourse`.
 */
export function usageSentence({ code, message }: CommanderError, words: readonly string[]): string | undefined {
  const named = /'([^']*)'/.exec(message)?.[1] ?? "";
  const suggested = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message)?.[1];
  const hint = suggested === undefined ? "" : ` Did you mean ${suggested}?`;
  switch (code) {
    case "commander.helpDisplayed":
    case "commander.version":
      return undefined;
    case "commander.help":
      return "Name a verb: bourse start runs a venue, and bourse --help lists all verbs.";
    case "commander.unknownOption":
      return words[0]?.startsWith("-") === true ? beforeVerb(words) : `There is no option ${named}.${hint}`;
    case "commander.unknownCommand":
      return `There is no verb ${named}.${hint}`;
    case "commander.missingArgument":
      return `The argument ${named} is missing.`;
    case "commander.optionMissingArgument":
      return `The option ${named} needs a value.`;
    case "commander.missingMandatoryOptionValue":
      return `The option ${named} is required.`;
    case "commander.excessArguments":
      return `There are more arguments than the verb takes: ${message.replace(/^.*: /s, "")}`;
    default:
      // The rest are our own sentences about bad values, behind commander's introduction.
      return message.replace(/^error: .*? is invalid\. /s, "");
  }
}

/** An option that stands before the verb, or without one. Values are not repeated: one of them may be a token. */
function beforeVerb(words: readonly string[]): string {
  const option = words[0]?.replace(/=.*/s, "") ?? "";
  const verb: string[] = [];
  let command: Command = programOf();
  for (const word of words) {
    const next: Command | undefined = command.commands.find((each) => each.name() === word);
    if (next === undefined) continue;
    verb.push(word);
    command = next;
  }
  if (verb.length === 0 && SETTING_ROWS.some(({ name }) => option === `--${name}`)) verb.push("start");
  if (verb.length > 0) return `Type the verb first, then its options: bourse ${verb.join(" ")} ${option} …`;
  return `The option ${option} needs a verb before it. Name the verb; bourse --help lists all of them.`;
}
