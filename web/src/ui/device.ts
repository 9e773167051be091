/**
 * The program that a request came from, in words: "Chrome 131 on Linux". A browser calls itself many things at once.
 */

/** The first that fits names the browser: most of them claim to be Chrome and Safari as well. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ["Opera", /\b(?:OPR|Opera)\/(\d+)/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d+)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["Chromium", /\b(?:HeadlessChrome|Chromium)\/(\d+)/],
  ["Chrome", /\b(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /\bVersion\/(\d+)[\d.]* .*Safari\//],
];

/** Phones first: they claim to be the systems of desks. */
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** The beginning of the text of programs that are no browsers: their name and version, such as `curl/8.5.0`. */
const PROGRAM = /^([A-Za-z][\w.-]*)(?:\/v?(\d[\w.]*))?/;

export function deviceOf(agent: string): string {
  const system = SYSTEMS.find(([, sign]) => sign.test(agent))?.[0];
  const onSystem = system === undefined ? "" : ` on ${system}`;
  for (const [name, version] of BROWSERS) {
    const found = version.exec(agent)?.[1];
    if (found !== undefined) return `${name} ${found}${onSystem}`;
  }
  if (agent.startsWith("Mozilla/")) return `A browser${onSystem}`;
  const [, program, version] = PROGRAM.exec(agent) ?? [];
  return program === undefined ? "An unnamed program" : `${program}${version === undefined ? "" : ` ${version}`}`;
}
