/** Takes out of a text what lets somebody in: lines of the log are shown to operators of every role. */

const HIDDEN = "[hidden]";

/** Fields whose value is never shown. */
const SECRET_NAME =
  /token|secret|password|passphrase|authorization|cookie|cipher|signature|mnemonic|private|enrolment/i;

/**
 * Secrets within texts, each with what stays in sight before them. Other servers choose some of these texts, and
 * clients parts of them: each pattern begins where a word does and looks at a character a few times at most, however
 * the text is made.
 */
const SECRETS: readonly RegExp[] = [
  // Credentials of an address: postgres://user:password@host.
  /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi,
  /(\bbearer\s+)[\w.~+/=-]+/gi,
  // What is given as name=value, name: value or in a query.
  /((?<![\w-])(?=[\w-]*(?:token|secret|password|passphrase|signature|enrolment|sign-up|reset))[\w-]+["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
];

/** `name` is that of the field, where the text is one's value. */
export function redacted(text: string, name = ""): string {
  if (SECRET_NAME.test(name)) return text === "" ? "" : HIDDEN;
  return SECRETS.reduce((shown, secret) => shown.replaceAll(secret, `$1${HIDDEN}`), text);
}
