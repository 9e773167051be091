/**
 * `npm run tool cluster [-- OPTIONS] [-- SETTINGS of every node]`: a venue of three nodes on this machine, with three
 * etcd servers, PostgreSQL for history and Redis or Valkey for quotas, of Debian's packages. What dies is started again
 * after a second. Ctrl-C ends all of it; the data stays.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { KeptProcess } from "./cluster/kept-process.ts";
import { LocalCluster } from "./cluster/local-cluster.ts";

const HELP = `npm run tool cluster [-- OPTIONS [-- SETTINGS]]

  --nodes N         how many nodes and etcd servers: 1, 3 or 5; 3 unless given
  --dir DIR         where all of it is kept; bourse-cluster in the folder for temporary files unless given
  --base-port N     the first of the ports; 0 takes free ones; 7500 unless given
  --no-history      every node keeps a history of its own, without PostgreSQL
  --no-quotas       every node has quotas of its own, without Redis
  --no-restart      what dies stays dead
  SETTINGS          of every node, such as --makers off

`;
const RESTART_MS = 1_000;

const own = process.argv.slice(2);
const end = own.indexOf("--");
function optionsIn(args: string[]) {
  return parseArgs({
    args,
    options: {
      nodes: { type: "string", default: "3" },
      dir: { type: "string", default: join(tmpdir(), "bourse-cluster") },
      "base-port": { type: "string", default: "7500" },
      "no-history": { type: "boolean", default: false },
      "no-quotas": { type: "boolean", default: false },
      "no-restart": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
}

const values = (() => {
  try {
    return optionsIn(end < 0 ? own : own.slice(0, end)).values;
  } catch (error) {
    return fail((error as Error).message);
  }
})();
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const nodes = Number(values.nodes);
const basePort = Number(values["base-port"]);
if (![1, 3, 5].includes(nodes)) fail("--nodes must be 1, 3 or 5.");
if (!Number.isInteger(basePort) || basePort < 0 || basePort > 65_000)
  fail("--base-port must be a whole number from 0 to 65000.");

let isStopping = false;

/** Says what has ended, and starts it again. */
function onEnd(ended: KeptProcess, how: string): void {
  if (isStopping) return;
  say(`${ended.name} has ended (${how})${values["no-restart"] ? "." : "; it is started again."}`);
  if (!values["no-restart"]) setTimeout(() => void startAgain(ended), RESTART_MS);
}

async function startAgain(ended: KeptProcess): Promise<void> {
  if (isStopping) return;
  try {
    await ended.start();
    const at = cluster.nodes.findIndex((node) => node.process === ended);
    if (at >= 0) sayReady(at);
    else say(`${ended.name} runs again.`);
  } catch (error) {
    // It ended once more, of which onEnd has heard; or it takes its time.
    if (!isStopping) say((error as Error).message);
  }
}

const cluster = await LocalCluster.prepare({
  dir: values.dir,
  nodes,
  basePort,
  history: !values["no-history"],
  quotas: !values["no-quotas"],
  settings: end < 0 ? [] : own.slice(end + 1),
  onEnd,
}).catch((error: Error) => fail(error.message));

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  say("stopping");
  await cluster.stop();
  process.exit(0);
}
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());

say(`starting in ${values.dir}`);
await cluster.start().catch(async (error: Error) => {
  isStopping = true;
  await cluster.kill();
  fail(error.message);
});
for (const at of cluster.nodes.keys()) sayReady(at);
for (const { process: node } of cluster.nodes) say(`${node.name} has pid ${node.pid}`);
say(`bourse cluster status --data ${cluster.nodes[0]?.data}`);

function sayReady(at: number): void {
  const node = cluster.nodes[at];
  if (node !== undefined) process.stdout.write(`node ${node.name} ready ${node.url} admin ${node.adminUrl}\n`);
}

function say(text: string): void {
  process.stderr.write(`bourse cluster: ${text}\n`);
}

function fail(text: string): never {
  say(text);
  process.exit(2);
}
