/**
 * Links that let an operator in. The code stands behind the #: browsers send that to nobody, so it is in no log of a
 * server or a proxy. A link serves once, as its code does, and leaves the address bar and the history of who opens it
 * at once.
 */

export interface Enrolment {
  /** Empty where the one who hands the link on does not see it. */
  readonly name: string;
  readonly code: string;
}

const HEAD = "#enrol?";

export function enrolLink({ name, code }: Enrolment, home = location.origin): string {
  return `${home}/${HEAD}${new URLSearchParams(name === "" ? { code } : { name, code })}`;
}

/** Returns the enrolment that a link holds; undefined of any other text. */
export function enrolmentIn(text: string): Enrolment | undefined {
  const at = text.indexOf(HEAD);
  if (at < 0) return undefined;
  const said = new URLSearchParams(text.slice(at + HEAD.length).trim());
  const code = said.get("code") ?? "";
  return code === "" ? undefined : { name: said.get("name") ?? "", code };
}

/** That of the link by which this page was opened, which is taken out of the address. */
export function takeEnrolment(): Enrolment | undefined {
  const found = enrolmentIn(location.hash);
  if (found !== undefined) history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  return found;
}
