/** A venue within this process. */
import { pino } from "pino";
import { settingsOf } from "../../venue/settings.ts";
import { startVenue } from "../../venue/venue.ts";
import type { Given } from "./options.ts";
import type { Running } from "./running.ts";

const STDERR = 2;

export async function startHere(given: Given, onFault: (fault: Error) => void): Promise<Running> {
  const settings = settingsOf(given.settings, (name) => given.spelled[name] ?? JSON.stringify(name));
  const log = pino({ level: settings.logLevel, base: null }, pino.destination({ fd: STDERR, sync: true }));
  const venue = await startVenue(settings, log, (fault) => {
    log.fatal({ err: fault }, "the venue stopped");
    onFault(fault);
  });
  const accounts = venue.devAccounts.map(({ name, user_id, access_id, secret_key }) => ({
    name,
    userId: user_id,
    accessId: access_id,
    secretKey: secret_key,
  }));
  const { url, adminUrl, adminToken } = venue;
  return { url, adminUrl, adminToken, accounts, stop: () => venue.stop() };
}
