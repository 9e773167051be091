/**
 * The second half of the GitHub Action (action.yml), when the job ends, however it ends: stops the venue that the first
 * half has started.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { endVenue } from "./end-venue.js";

const LOG_CHARS_MAX = 10_000;

const pid = Number(process.env["STATE_pid"]);
const log = process.env["STATE_err"];
if (Number.isSafeInteger(pid) && pid > 1) {
  const hasStopped = await endVenue(pid);
  if (log !== undefined) {
    process.stdout.write(
      `::group::Log of the venue\n${readFileSync(log, "utf8").slice(-LOG_CHARS_MAX)}\n::endgroup::\n`,
    );
  }
  if (!hasStopped) process.stdout.write("::warning::The venue did not stop by itself and was ended.\n");
}
