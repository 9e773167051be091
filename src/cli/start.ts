/** `bourse start`: runs a venue until it is told to stop. */
import { join } from "node:path";
import { ACCOUNTS_FILE, type DevAccount } from "../venue/operator-files.ts";
import { IN_MEMORY, settingsOf } from "../venue/settings.ts";
import { startVenue } from "../venue/venue.ts";
import { EXIT, endOf } from "./exit.ts";
import { logTo } from "./log-lines.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** Ctrl-C under npm reaches the venue twice, from the terminal and from npm: that is one wish to stop, not two. */
const SAME_KEYPRESS_MS = 1_000;

/**
 * Starts a venue and ends the process when the venue has stopped: 0 after a signal, else with the fault's own code.
 * Standard output gets exactly one line, when the venue serves; the log and all else go to standard error.
 */
export async function start(given: Readonly<Record<string, unknown>>): Promise<never> {
  const settings = settingsOf(given);
  // A venue goes on when nobody reads any more what it prints.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error").on("error", () => {});
  // A pipe behind either of them is read by a program.
  const isTerminal = process.stdout.isTTY === true && process.stderr.isTTY === true;
  const format = settings.logFormat ?? (isTerminal ? "text" : "json");
  const log = logTo(format, settings.logLevel);
  const end = (error: unknown, message: string): never => {
    const { sentence, exitCode } = endOf(error);
    log.fatal({ err: error }, message);
    process.stderr.write(`bourse: ${sentence}\n`);
    process.exit(exitCode);
  };
  process.on("uncaughtException", (error) => end(error, "the venue failed unexpectedly"));
  // Until the venue serves there is nothing to finish.
  const endAtOnce = () => process.exit(EXIT.ok);
  for (const signal of SIGNALS) process.once(signal, endAtOnce);

  const venue = await startVenue(settings, log, (fault) => end(fault, "the venue stopped"));

  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.on(signal, stop);
  }
  if (venue.devAccounts.length > 0) process.stderr.write(accountsText(venue.devAccounts, settings.data));
  const { url, adminUrl, replayed } = venue;
  log.info({ url, adminUrl, data: settings.data, profile: settings.profile, replayed }, "ready");
  process.stdout.write(`bourse ready ${url} admin ${adminUrl}\n`);
  if (format === "text") process.stderr.write(placesText(url, adminUrl));
  return await new Promise<never>(() => {});

  /**
   * The first signal stops the venue. Supervisors repeat SIGTERM, or send it to a whole group, which is no wish to
   * hurry; only a person who presses Ctrl-C again does not want to wait.
   */
  function stop(signal: NodeJS.Signals): void {
    for (const each of SIGNALS) process.off(each, stop);
    const stoppingSince = performance.now();
    process.on("SIGTERM", () => {});
    process.on("SIGINT", () => {
      if (performance.now() - stoppingSince > SAME_KEYPRESS_MS) process.exit(EXIT.failed);
    });
    log.info({ signal }, "stopping");
    venue.stop().then(
      () => {
        log.info("stopped");
        process.exit(EXIT.ok);
      },
      (error: unknown) => end(error, "the venue did not stop as it should"),
    );
  }
}

/** Where a person goes from here. */
function placesText(url: string, adminUrl: string): string {
  const places = [
    [url, "the terminal: charts, books, orders"],
    [`${url}/docs`, "keys to copy, test money, the documents of the API"],
    [adminUrl, "the console of operators"],
  ] as const;
  const width = Math.max(...places.map(([place]) => place.length));
  const lines = places.map(([place, what], at) => `${at === 0 ? "Open" : "    "} ${place.padEnd(width)}  ${what}\n`);
  return `\n${lines.join("")}\nCtrl-C stops the venue.\n`;
}

function accountsText(accounts: readonly DevAccount[], data: string): string {
  const kept = data === IN_MEMORY ? "" : `, kept in ${join(data, ACCOUNTS_FILE)}`;
  const lines = accounts.flatMap(({ name, user_id, access_id, secret_key }) => [
    `  ${name}, user ${user_id}`,
    `    access id   ${access_id}`,
    `    secret key  ${secret_key}`,
  ]);
  return `\nSample accounts of this dev venue${kept}:\n${lines.join("\n")}\n\n`;
}
