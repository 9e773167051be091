/** `bourse cluster adopt`: what is done with the log of several nodes while no node runs. */
import type { Command } from "commander";
import { SETTING_ROWS, settingsOf } from "../venue/settings.ts";
import { print } from "./output.ts";

/** The settings of a node that say where its log is and where it goes. */
const NAMED = [
  ...["config", "profile", "data", "log", "node", "node-address"],
  ...["log-ca", "log-cert", "log-key", "secret-key"],
];

/** Behind the verbs that ask a running venue, which make the noun. */
export function addClusterVerbs(program: Command): void {
  const noun = program.commands.find((command) => command.name() === "cluster") as Command;
  const command = noun
    .command("adopt")
    .description(
      "Put the log of a data directory into an empty etcd, for several nodes to go on with: that of a venue that ran as one process or on " +
        "other servers, or the longest of the nodes' logs where etcd has lost its own. No venue may run. The other nodes start with their own " +
        "copies or with empty directories.",
    );
  for (const { name, values, meaning } of SETTING_ROWS)
    if (NAMED.includes(name)) command.option(`--${name} <${values}>`, meaning);
  command.option("--json", "print the answer as JSON").action(async () => {
    const { json, ...given } = command.opts<{ json?: boolean }>();
    const dashed = Object.entries(given).map(([name, value]) => [
      name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`),
      value,
    ]);
    const { adoptLog } = await import("../venue/adopt.ts");
    const { venueId, seq, hash } = await adoptLog(settingsOf(Object.fromEntries(dashed)), (text) =>
      process.stderr.write(`${text}\n`),
    );
    print({ venue_id: venueId, seq, hash }, json);
  });
}
