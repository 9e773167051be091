import { RELEASE_OF_RULES, RULES_VERSION } from "../src/engine/rules-version.ts";

/**
 * Whether a release brings rules of which no golden venues are kept yet: it makes them, and yesterday's log is what
 * they hold later programs to. Throws where the rules are said to come with a later release, since venues tell
 * operators which one has them.
 */
export function bringsRules(version: string, kept: readonly number[], rules = RULES_VERSION): boolean {
  const release = RELEASE_OF_RULES[rules];
  if (release === undefined || isBefore(version, release)) {
    throw new Error(
      `Rules version ${rules} comes with release ${release ?? "of no number"} by RELEASE_OF_RULES in ` +
        `src/engine/rules-version.ts: write ${version} there, or release that one.`,
    );
  }
  return !kept.includes(rules);
}

/** The rules that a program of this version has, of which there must be golden venues. */
export function rulesReleasedBy(version: string): number[] {
  return Object.keys(RELEASE_OF_RULES)
    .map(Number)
    .filter((rules) => !isBefore(version, RELEASE_OF_RULES[rules] as string));
}

/** Whether one version, of three numbers, comes before another. */
function isBefore(one: string, other: string): boolean {
  const [ofOne, ofOther] = [one, other].map((version) => version.split(".").map(Number)) as [number[], number[]];
  const at = ofOne.findIndex((part, index) => part !== ofOther[index]);
  return at >= 0 && (ofOne[at] as number) < (ofOther[at] as number);
}
