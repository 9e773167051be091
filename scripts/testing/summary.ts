import type { RunResult } from "./runner.ts";

/**
 * Prints what failed once more, what there was no time for, and the line that speaks for all; returns the exit code.
 */
export function sayEnd(results: readonly RunResult[], seconds: number, print: (text: string) => void): number {
  const files = results.flatMap((result) => result.files);
  const failures = results.flatMap((result) => result.failures);
  const notRun = results.flatMap((result) => result.notRun);
  const sum = (pick: (file: RunResult["files"][number]) => number) =>
    files.reduce((total, file) => total + pick(file), 0);
  const failed = Math.max(
    sum((file) => file.failed),
    failures.length > 0 ? 1 : 0,
  );
  if (failures.length > 0) print(`\nFailed:\n\n${failures.join("\n\n")}\n`);
  if (notRun.length > 0) print(`\nNot run, for want of time: ${notRun.length} files.\n`);
  const processor = sum((file) => file.processorSeconds ?? 0);
  print(`\n${files.length} files, ${sum((file) => file.skipped)} tests skipped, ${seconds.toFixed(0)} s`);
  print(` (${processor.toFixed(0)} s of processor time)\n`);
  print(`${sum((file) => file.passed)} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}
