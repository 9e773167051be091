/**
 * `bourse cluster found`, `adopt` and `forget`: what is done in etcd with the log of several nodes and with what they
 * told of themselves.
 */
import type { Command } from "commander";
import type { Settings } from "../venue/settings.ts";
import { SETTING_ROWS, settingsOf } from "../venue/settings.ts";
import { print } from "./output.ts";

/** The settings of a node that say where its log is and where it goes. */
const NAMED = [
  ...["config", "profile", "data", "log", "node", "node-address"],
  ...["log-ca", "log-cert", "log-key", "secret-key"],
];

type Note = (text: string) => void;

/** Behind the verbs that ask a running venue, which make the noun. */
export function addClusterVerbs(program: Command): void {
  const noun = program.commands.find((command) => command.name() === "cluster") as Command;
  addVerb(noun, {
    name: "found",
    meaning:
      "Let a new venue begin in an empty etcd, once, before its nodes serve for the first time: in the production " +
      "profile they do not do so by themselves. They may wait for it already, with empty directories. Refused where " +
      "etcd or the data directory holds a log.",
    run: async (settings, note) => {
      const { foundNew } = await import("../venue/adopt.ts");
      const { venueId } = await foundNew(settings, note);
      return { venue_id: venueId };
    },
  });
  addVerb(noun, {
    name: "adopt",
    meaning:
      "Put the log of a data directory into an empty etcd, for several nodes to go on with: that of a venue that ran " +
      "as one process or on other servers, or the longest of the nodes' logs where etcd has lost its own. No venue " +
      "may run. The other nodes start with their own copies or with empty directories.",
    run: async (settings, note) => {
      const { adoptLog } = await import("../venue/adopt.ts");
      const { venueId, seq, hash } = await adoptLog(settings, note);
      return { venue_id: venueId, seq, hash };
    },
  });
  addVerb(noun, {
    name: "forget",
    node: "the name of the node",
    meaning:
      "Remove from etcd what a node that never returns has told of itself, beside nodes that run: it no longer " +
      "counts as one that holds the log, new rules no longer wait for it, and it leaves the list of nodes. It takes " +
      "ten seconds, and is refused when that node runs.",
    run: async (settings, note, node) => {
      const { forgetNode } = await import("../venue/adopt.ts");
      return { forgotten: node, ...(await forgetNode(settings, node, note)) };
    },
  });
}

interface Verb {
  readonly name: string;
  readonly meaning: string;
  /** The meaning of the argument that the verb takes; undefined: it takes none. */
  readonly node?: string;
  /** `node` is empty where the verb takes none. */
  run(settings: Settings, note: Note, node: string): Promise<object>;
}

function addVerb(noun: Command, { name: verb, meaning: description, node: argument, run }: Verb): void {
  const command = noun.command(verb).description(description);
  if (argument !== undefined) command.argument("<node>", argument);
  for (const { name, values, meaning } of SETTING_ROWS)
    if (NAMED.includes(name)) command.option(`--${name} <${values}>`, meaning);
  command.option("--json", "print the answer as JSON").action(async () => {
    const { json, ...given } = command.opts<{ json?: boolean }>();
    const [node = ""] = command.args;
    const dashed = Object.entries(given).map(([name, value]) => [
      name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`),
      value,
    ]);
    const answer = await run(settingsOf(Object.fromEntries(dashed)), (text) => process.stderr.write(`${text}\n`), node);
    print(answer, json);
  });
}
