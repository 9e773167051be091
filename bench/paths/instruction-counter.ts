import { execFile } from "node:child_process";
import process from "node:process";

/** Counts the machine instructions of a program in user mode. */
export interface InstructionCounter {
  readonly name: string;
  count(program: readonly string[]): Promise<number>;
}

interface Tool {
  readonly name: string;
  /** The command that runs a program under the tool. */
  readonly command: readonly string[];
  /** The count in what the tool prints to standard error. */
  readonly pattern: RegExp;
}

/** The first that works is taken: perf reads the processor's own counter, valgrind interprets the program. */
const TOOLS: readonly Tool[] = [
  {
    name: "perf",
    command: ["perf", "stat", "-x", ",", "-e", "instructions:u", "--"],
    pattern: /^(\d+),+instructions/m,
  },
  {
    name: "valgrind",
    command: ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
    pattern: /\bI\s+refs:\s+([\d,]+)/,
  },
];

/** A counter that works on this machine; undefined where neither perf nor valgrind counts. */
export async function findCounter(env = process.env): Promise<InstructionCounter | undefined> {
  for (const tool of TOOLS) {
    const works = await countWith(tool, env, ["true"]).then(
      () => true,
      () => false,
    );
    if (works) return { name: tool.name, count: (program) => countWith(tool, env, program) };
  }
  return undefined;
}

function countWith(
  { name, command, pattern }: Tool,
  env: NodeJS.ProcessEnv,
  program: readonly string[],
): Promise<number> {
  const [file, ...args] = [...command, ...program] as [string, ...string[]];
  return new Promise((resolve, reject) => {
    // Perf prints numbers as the language of its user has them.
    execFile(file, args, { env: { ...env, LC_ALL: "C" } }, (error, _stdout, stderr) => {
      const [, count] = pattern.exec(stderr) ?? [];
      if (error === null && count !== undefined) resolve(Number(count.replaceAll(",", "")));
      else reject(new Error(`${name} counted no instructions of ${program.join(" ")}.\n${stderr}`, { cause: error }));
    });
  });
}
