/**
 * Carries out calls of the command line one after the other, in a process that may be killed when one of them does not
 * end.
 */
import { bourse } from "../../admin/command-line.ts";

process.on("message", async (args: readonly string[]) => {
  const before = process.memoryUsage().rss;
  const ended = await bourse(...args).catch((error: unknown) => ({
    code: null,
    stdout: "",
    stderr: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  process.send?.({ ...ended, grownMib: Math.round((process.memoryUsage().rss - before) / 2 ** 20) });
});
