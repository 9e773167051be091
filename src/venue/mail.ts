/** Where mails go: to a server by SMTP, or into a folder while nobody has named one. */
import { readdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Mail, Mailer } from "../gateway/web/mails.ts";
import { makeDirectory } from "../log/directory.ts";
import type { Settings } from "./settings.ts";

/** A server that does not answer is given up on. */
const SMTP_TIMEOUT_MS = 20_000;
/** Mails that are kept in a folder; the oldest make room. */
const KEPT_MAX = 200;

interface OpenMailer extends Mailer {
  close(): void;
}

/** How the settings want mails to go; undefined: not at all. `folder` is the venue's data. */
export function mailerOf(
  { smtp, mailFrom, profile }: Pick<Settings, "smtp" | "mailFrom" | "profile">,
  folder: string,
): OpenMailer | undefined {
  if (smtp !== undefined) return smtpMailer(smtp, mailFrom);
  return profile === "dev" ? folderMailer(join(folder, "mail")) : undefined;
}

/** Sends over the server at `url`, such as `smtps://user:password@mail.example.com`. */
export function smtpMailer(url: string, from: string): OpenMailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // What is sent is made of texts alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    // An address as an object is one address, whatever characters it has.
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}

/** Writes each mail into a file of its own. */
export function folderMailer(folder: string): OpenMailer {
  let count = 0;
  return {
    send: async (mail) => {
      makeDirectory(folder, "--data");
      const kept = readdirSync(folder)
        .filter((name) => name.endsWith(".eml"))
        .sort();
      for (const name of kept.slice(0, Math.max(0, kept.length + 1 - KEPT_MAX))) rmSync(join(folder, name));
      const name = `${Date.now()}-${String(count++).padStart(6, "0")}.eml`;
      await writeFile(join(folder, name), textOf(mail), { mode: 0o600 });
    },
    close: () => {},
  };
}

/** As RFC 5322 has it, as far as a person reads it. */
function textOf({ to, subject, text }: Mail): string {
  return (
    `To: ${to}\nSubject: ${subject}\nDate: ${new Date().toUTCString()}\nContent-Type: text/plain; ` +
    `charset=utf-8\n\n${text}`
  );
}
