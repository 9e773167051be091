/** The report of a scenario for a CI: one test suite of JUnit's form, a case for each expectation. */
import type { PlayedLive } from "./play.ts";

export function junitOf(title: string, { checks, durationMs }: PlayedLive): string {
  const failures = checks.filter(({ ok }) => !ok).length;
  const attributes =
    `name="${escaped(title)}" tests="${checks.length}" failures="${failures}" errors="0" ` +
    `time="${durationMs / 1_000}"`;
  const cases = checks.map(({ step, name, ok, sentence }) => {
    const head = `<testcase classname="${escaped(title)}" name="${escaped(`step ${step}: ${name}`)}"`;
    return ok ? `    ${head}/>` : `    ${head}>\n      <failure message="${escaped(sentence)}"/>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${checks.length}" failures="${failures}">`,
    `  <testsuite ${attributes}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Signs that XML has no place for are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g, " ")
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
}
