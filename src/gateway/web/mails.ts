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
 * Notices to an account that go out at once in a window; further ones are kept and go out together when it ends.
 * Anyone who has the password can cause some, and no alarm may drown in them, so none is dropped.
 */
const NOTICES_AT_ONCE = 5;
const NOTICES_WINDOW_MS = 10 * 60_000;
/** Different sentences that are kept for a mail; it tells how many there were beyond them. */
const KEPT_MAX = 50;

/** The notices to an account in a window. */
interface Notices {
  sent: number;
  /** The sentences to send when the window ends, each with how often it was to be said. */
  readonly kept: Map<string, number>;
  /** Further ones. */
  more: number;
  readonly ends: NodeJS.Timeout;
}

/**
 * Words mails and hands them over. Nobody waits for one: how long a mail takes, and whether there is one, would say
 * whether there is an account. What strangers can ask for has a quota by recipient; notices of what happened to an
 * account have none of that.
 */
export class Mails {
  readonly #options: MailsOptions;
  /** By recipient; no more than there are accounts to which something happened in a window. */
  readonly #notices = new Map<string, Notices>();

  constructor(options: MailsOptions) {
    this.#options = options;
  }

  /** Sends what is kept. */
  close(): void {
    for (const [to, { ends }] of this.#notices) {
      clearTimeout(ends);
      this.#endWindow(to);
    }
  }

  signUp(to: string, link: string): void {
    this.#sendAsked(to, false, "Confirm your e-mail address", [
      "Somebody, probably you, wants to open an account with this e-mail address. To confirm it, open this link " +
        "within 24 hours:",
      link,
      "If it was not you, do nothing: there will be no account.",
    ]);
  }

  alreadySignedUp(to: string): void {
    this.#sendAsked(to, true, "You have an account already", [
      "Somebody, probably you, wanted to open an account with this e-mail address. There is one already: sign " +
        "in with it, and if you have forgotten the password, ask for a new one there.",
      "If it was not you, do nothing.",
    ]);
  }

  reset(to: string, link: string): void {
    this.#sendAsked(to, true, "Set a new password", [
      "Somebody, probably you, has asked for a new password. To set it, open this link within an hour:",
      link,
      "All sessions end then, and no withdrawals are possible by sessions for 24 hours. If it was not you, do " +
        "nothing: your password stays.",
    ]);
  }

  /** `what` is a whole sentence. */
  notice(to: string, what: string): void {
    const notices = this.#notices.get(to) ?? this.#beginWindow(to);
    if (notices.sent < NOTICES_AT_ONCE) {
      notices.sent++;
      this.#sendNotices(to, [what]);
    } else if (notices.kept.has(what) || notices.kept.size < KEPT_MAX) {
      notices.kept.set(what, (notices.kept.get(what) ?? 0) + 1);
    } else notices.more++;
  }

  #beginWindow(to: string): Notices {
    const ends = setTimeout(() => this.#endWindow(to), NOTICES_WINDOW_MS).unref();
    const notices = { sent: 0, kept: new Map<string, number>(), more: 0, ends };
    this.#notices.set(to, notices);
    return notices;
  }

  #endWindow(to: string): void {
    const notices = this.#notices.get(to);
    this.#notices.delete(to);
    if (notices === undefined || notices.kept.size === 0) return;
    const said = [...notices.kept].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`));
    this.#sendNotices(to, notices.more === 0 ? said : [...said, `There were ${notices.more} further changes.`]);
  }

  #sendNotices(to: string, said: readonly string[]): void {
    const subject = said.length === 1 ? "A change of your account" : "Changes of your account";
    this.#send(to, subject, [
      ...said,
      "If it was not you, set a new password at once, and look at the sessions and keys of your account.",
    ]);
  }

  /** A mail that strangers can ask for. */
  #sendAsked(to: string, isAccount: boolean, subject: string, paragraphs: readonly string[]): void {
    if (this.#options.attempts.mailTo(to, isAccount)) this.#send(to, subject, paragraphs);
  }

  #send(to: string, subject: string, paragraphs: readonly string[]): void {
    const { mailer, log } = this.#options;
    mailer.send({ to, subject, text: `${paragraphs.join("\n\n")}\n` }).catch((error: unknown) => {
      log.error({ err: error }, "a mail could not be sent");
    });
  }
}
