/**
 * `npm run bench NAME -- …` measures, `npm run tool NAME -- …` does what a developer does now and then: runs the
 * program of that name.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** By npm script, the programs by their names, as files of the repository. */
export const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bench: {
    attacks: "bench/attacks.ts",
    cluster: "bench/cluster.ts",
    "cluster-room": "bench/cluster-room.ts",
    edge: "bench/edge.ts",
    engine: "bench/engine.ts",
    fanout: "bench/fanout.ts",
    futures: "bench/futures.ts",
    http: "bench/http.ts",
    liabilities: "bench/liabilities.ts",
    limits: "bench/limits.ts",
    log: "bench/log.ts",
    "mass-quotes": "bench/mass-quotes.ts",
    paths: "bench/paths/compare.ts",
    push: "bench/push.ts",
    replay: "bench/replay.ts",
    sampling: "bench/sampling.ts",
    scale: "bench/scale/scale.ts",
    soak: "bench/soak/soak.ts",
    "sockets-orders": "bench/sockets-orders.ts",
    terminal: "bench/terminal.ts",
    threads: "bench/threads/threads.ts",
  },
  tool: {
    cluster: "scripts/cluster.ts",
    crash: "test/crash/crash.ts",
    diagrams: "scripts/diagrams.ts",
    documents: "scripts/documents.ts",
    fuzz: "test/fuzz/fuzz.ts",
    lies: "test/chains/lies-run.ts",
    mutants: "test/mutants/mutants.ts",
    nightly: "scripts/nightly.ts",
    release: "scripts/release.ts",
    screenshots: "scripts/screenshots.ts",
    siege: "test/fuzz/siege.ts",
    sim: "test/simulation/sim.ts",
    worlds: "test/cluster/worlds.ts",
  },
};

/** The comment that a program begins with, which says how it is used. */
export function usageOf(path: string): string {
  const [, comment = ""] = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(readFileSync(path, "utf8")) ?? [];
  return comment.replace(/^ *\* ?/gm, "").trim();
}

if (import.meta.main) {
  const [script = "", name = "", ...args] = process.argv.slice(2);
  const programs = PROGRAMS[script] ?? {};
  const file = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (file === undefined) {
    process.stderr.write(
      `Usage: npm run ${script} NAME -- OPTIONS\nNAME is one of ${Object.keys(programs).join(", ")}.\n`,
    );
    process.exit(2);
  }
  const path = join(fileURLToPath(new URL("..", import.meta.url)), file);
  if (args.includes("--help")) {
    process.stdout.write(`${usageOf(path)}\n`);
    process.exit();
  }
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href).catch((error: Error & { readonly code?: string }) => {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    process.stderr.write(`${error.message}\n\n${usageOf(path)}\n`);
    process.exitCode = 2;
  });
}
