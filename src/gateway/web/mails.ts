/** Mails to people who sign in. */
import type { Attempts } from "./attempts.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends one mail; rejects when that cannot be done. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface MailsOptions {
  readonly mailer: Mailer;
  /** Keeps anybody from being sent too many. */
  readonly attempts: Attempts;
  readonly log: { error(details: object, message: string): void };
}

/**
 * Words mails and hands them over. Nobody waits for one: how long a mail takes, and whether there is one, would say whether there is an
 * account.
 */
export class Mails {
  readonly #options: MailsOptions;

  constructor(options: MailsOptions) {
    this.#options = options;
  }

  signUp(to: string, link: string): void {
    this.#send(to, "Confirm your e-mail address", [
      "Somebody, probably you, wants to open an account with this e-mail address. To confirm it, open this link within 24 hours:",
      link,
      "If it was not you, do nothing: there will be no account.",
    ]);
  }

  alreadySignedUp(to: string): void {
    this.#send(to, "You have an account already", [
      "Somebody, probably you, wanted to open an account with this e-mail address. There is one already: sign in with it, and if you have forgotten the password, ask for a new one there.",
      "If it was not you, do nothing.",
    ]);
  }

  reset(to: string, link: string): void {
    this.#send(to, "Set a new password", [
      "Somebody, probably you, has asked for a new password. To set it, open this link within an hour:",
      link,
      "All sessions end then, and no withdrawals are possible by sessions for 24 hours. If it was not you, do nothing: your password stays.",
    ]);
  }

  /** `what` is a whole sentence. */
  notice(to: string, what: string): void {
    this.#send(to, "A change of your account", [
      what,
      "If it was not you, set a new password at once, and look at the sessions and keys of your account.",
    ]);
  }

  #send(to: string, subject: string, paragraphs: readonly string[]): void {
    const { mailer, attempts, log } = this.#options;
    if (!attempts.mailTo(to)) return;
    mailer.send({ to, subject, text: `${paragraphs.join("\n\n")}\n` }).catch((error: unknown) => {
      log.error({ err: error }, "a mail could not be sent");
    });
  }
}
