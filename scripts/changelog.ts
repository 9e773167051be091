const HEADING = "## Unreleased";

/**
 * The text of CHANGELOG.md with what has landed since the last release under its version and date, and an empty
 * "Unreleased" above it.
 */
export function released(text: string, version: string, date: string): string {
  const at = text.indexOf(`${HEADING}\n`);
  if (at < 0) throw new Error(`CHANGELOG.md has no heading "${HEADING}".`);
  const begin = at + HEADING.length + 1;
  const next = text.indexOf("\n## ", begin);
  const body = text.slice(begin, next < 0 ? undefined : next);
  if (body.trim() === "") throw new Error("Nothing has landed since the last release.");
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a version ${version} already.`);
  return `${text.slice(0, begin)}\n## ${version} - ${date}\n${text.slice(begin)}`;
}
