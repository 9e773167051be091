import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, CommanderError } from "commander";
import { FIELD_IN_PATH } from "../gateway/admin/call.ts";
import { ADMIN_CALLS } from "../gateway/parts.ts";
import { EXIT, endOf } from "./exit.ts";
import { programOf, usageSentence } from "./program.ts";

/** What is said about a command line that is refused before it does anything, and how it ends. */
async function refusalOf(args: readonly string[]): Promise<{ sentence: string | undefined; exitCode: number }> {
  try {
    await programOf().parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) return endOf(error);
    return { sentence: usageSentence(error, args), exitCode: EXIT.usage };
  }
  throw new Error(`bourse ${args.join(" ")} was taken.`);
}

test("whatever is wrong with a command line is said in one sentence", async () => {
  const table: [args: string[], sentence: RegExp][] = [
    [["nonsense"], /^There is no verb nonsense\.$/],
    [[], /^Name a verb: bourse start runs a venue, and bourse --help lists all verbs\.$/],
    [["--port", "7400"], /^Type the verb first, then its options: bourse start --port …$/],
    [["--port=7400", "--past", "0"], /^Type the verb first, then its options: bourse start --port …$/],
    [["--port", "7400", "start"], /^Type the verb first, then its options: bourse start --port …$/],
    [["--token", "secret", "user", "list"], /^Type the verb first, then its options: bourse user list --token …$/],
    [
      ["--nonsense"],
      /^The option --nonsense needs a verb before it\. Name the verb; bourse --help lists all of them\.$/,
    ],
    [["-p", "1"], /^The option -p needs a verb before it\./],
    [["statsu"], /^There is no verb statsu\. Did you mean status\?$/],
    [["market", "lst"], /^There is no verb lst\. Did you mean list\?$/],
    [["status", "--jsn"], /^There is no option --jsn\. Did you mean --json\?$/],
    [["status", "extra"], /^There are more arguments than the verb takes: extra\.$/],
    [["user", "change"], /^The argument USER_ID is missing\.$/],
    [["user", "create"], /^The option --name <NAME> is required\.$/],
    [["user", "create", "--name"], /^The option --name <NAME> needs a value\.$/],
    [["account", "create", "--name", "a", "--fund", "USDT"], /^Write CCY=AMOUNT, such as USDT=1000\.5, instead/],
    [["user", "change", "1", "--frozen", "maybe"], /^Say true or false instead of maybe\.$/],
    [["index", "set", "--market", "M", "--sources", "a"], /^Write name=value,name=value or a JSON object instead/],
    [["index", "set", "--market", "M", "--sources", "{a"], /^This is no JSON object: \{a\.$/],
    [["log", "--from", "0"], /^A seq is a whole number from 1, not 0\.$/],
    [["log", "--data", ":memory:"], /^A venue in memory leaves no log behind\.$/],
    [["audit", "--every", "0"], /^Say a whole number from 1 instead of 0\.$/],
    [["start", "--prot", "1"], /^There is no option --prot\. Did you mean --port\?$/],
    [["start", "--port", "99999"], /^The setting --port must be a whole number from 0 to 65535, not "99999"\.$/],
    [["start", "--profile", "production"], /^The production profile needs a configuration file; name it with/],
  ];
  for (const [args, expected] of table) {
    const { sentence, exitCode } = await refusalOf(args);
    assert.match(sentence ?? "", expected, args.join(" "));
    assert.equal(exitCode, EXIT.usage, args.join(" "));
  }
});

test("each field of an admin call reaches it under its own name, also one that begins with no_", () => {
  for (const { verbs, path, fields } of ADMIN_CALLS) {
    const names = Object.keys(fields).slice(FIELD_IN_PATH.test(path) ? 1 : 0);
    for (const verb of Object.keys(verbs).filter((each) => !each.includes("--"))) {
      const command = verb
        .split(" ")
        .reduce(
          (parent, word) => parent.commands.find((each) => each.name() === word) as Command,
          programOf() as Command,
        );
      for (const name of names) {
        const option = command.options.find(({ long }) => long === `--${name.replaceAll("_", "-")}`);
        assert.equal(
          option?.attributeName(),
          name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
          verb,
        );
      }
    }
  }
});

test("what the machine refuses is said in words, and what nobody expected is shown whole", () => {
  const refused = (code: string, more: object) => endOf(Object.assign(new Error("raw"), { code, ...more })).sentence;
  assert.equal(
    refused("EADDRINUSE", { address: "127.0.0.1", port: 7401, setting: "admin-port" }),
    "Port 7401 of 127.0.0.1 is in use; choose another one with --admin-port, or 0 for any that is free.",
  );
  assert.equal(
    refused("EACCES", { path: "data" }),
    "This user may not use data: give it to the user who runs bourse, or name another place.",
  );
  assert.equal(
    refused("EACCES", { address: "::", port: 80 }),
    "This user may not listen on port 80 of ::; choose one from 1024 on with --port.",
  );
  assert.equal(refused("ENOSPC", {}), "The disk is full: make room, and try again.");
  assert.match(endOf(new TypeError("x is not a function")).sentence, /^TypeError: x is not a function\n {4}at /);
});

test("the help of start lists every setting in a group of its own kind, the first ones first", () => {
  const start = programOf().commands.find((command) => command.name() === "start") as Command;
  const help = start.helpInformation();
  assert.doesNotMatch(help, /^More:$/m);
  const groups = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
  assert.equal(groups[0], "Where it listens and keeps its data");
  assert.ok(groups.length >= 8, groups.join());
});

test("no help shows a default that only a program understands", () => {
  const shown = (command: Command): string[] => [command.helpInformation(), ...command.commands.flatMap(shown)];
  for (const help of shown(programOf())) {
    assert.doesNotMatch(help, /\(default: (?:\{|\[object)/);
    assert.doesNotMatch(help, /\(([^()]+)\) \(default: \1\)/, "it is said once");
  }
});
