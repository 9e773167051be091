/**
 * A change is not lost to a test that fails beside others and passes alone: before a change is taken, such files are
 * tried once more, one at a time. What fails then has failed. What passes is told as unsteady, with what went wrong:
 * it is a defect of the test or a race of the program, and is to be mended.
 */
import type { FileResult, RunResult } from "./runner.ts";

/** Where more files than this fail, the change has broken something, and nothing is tried again. */
const TRIED_AGAIN_MAX = 3;

/** `run` runs these files, one after the other, with nothing beside them. */
export async function tryAgain(
  first: RunResult,
  run: (files: readonly string[]) => Promise<RunResult>,
  print: (text: string) => void,
): Promise<RunResult> {
  const failed = first.files.filter((each) => each.failed > 0).map(({ file }) => file);
  const told = (file: string) => first.failures.filter((text) => isOf(text, file));
  if (failed.length === 0 || failed.length > TRIED_AGAIN_MAX) return first;
  if (failed.flatMap(told).length < first.failures.length) return first;
  print("\nOnce more, alone:\n");
  const again = await run(failed);
  const hasPassed = (file: string) => again.files.some((each) => each.file === file && each.failed === 0);
  const unsteady = failed.filter(hasPassed);
  for (const file of unsteady)
    print(`\nUNSTEADY: ${file} failed beside others and passed alone.\n${told(file).join("\n")}\n`);
  const second = (result: FileResult) => again.files.find(({ file }) => file === result.file) ?? result;
  return {
    files: first.files.map((result) => (unsteady.includes(result.file) ? second(result) : result)),
    failures: first.failures.filter((text) => !unsteady.some((file) => isOf(text, file))),
    notRun: first.notRun,
  };
}

/** Whether a failure is told of this file: its name stands behind the cross. */
function isOf(failure: string, file: string): boolean {
  const at = failure.indexOf(file);
  return at === 2 && !/^[\w-]/.test(failure.slice(at + file.length));
}
