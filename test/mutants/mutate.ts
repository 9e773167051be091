/** One-line changes of source text that a test should notice. */

export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** What is changed for what. Spaces keep types, arrows and signs out. */
const SWAPS: readonly (readonly [pattern: RegExp, instead: (found: string) => string])[] = [
  [/ < /g, () => " <= "],
  [/ <= /g, () => " < "],
  [/ > /g, () => " >= "],
  [/ >= /g, () => " > "],
  [/ === /g, () => " !== "],
  [/ !== /g, () => " === "],
  [/ && /g, () => " || "],
  [/ \|\| /g, () => " && "],
  [/ \+ /g, () => " - "],
  [/ - /g, () => " + "],
  [/ \* /g, () => " / "],
  [/ \/ /g, () => " * "],
  [/\btrue\b/g, () => "false"],
  [/\bfalse\b/g, () => "true"],
  [/(?<![\w.$#])\d+(?![\w.])/g, (found) => String(Number(found) + 1)],
  [/(?<![\w.$#])\d+n\b/g, (found) => `${BigInt(found.slice(0, -1)) + 1n}n`],
  [/^(\s*)(?:this\.|[a-z#])[\w.#]*\(.*\);$/g, () => ""],
];

/** Lines that say nothing at run time, or only what is printed. */
const SILENT =
  /^\s*(?:\/\/|\*|\/\*|import\b|export (?:type|interface)|type\b|interface\b|readonly\b|\}|throw\b|\w+\??: \w+;)/;

/** Every change of one line of `text` that this module knows. */
export function mutantsOf(file: string, text: string): Mutant[] {
  return text.split("\n").flatMap((before, index) => {
    if (SILENT.test(before)) return [];
    const code = withoutTexts(before);
    return SWAPS.flatMap(([pattern, instead]) =>
      [...code.matchAll(pattern)].map(({ 0: found, index: at }) => ({
        ...{ file, line: index + 1, before },
        after: before.slice(0, at) + instead(found) + before.slice(at + found.length),
      })),
    );
  });
}

/** The line with its texts and its comment blanked, character by character, so that places stay where they are. */
function withoutTexts(line: string): string {
  return line
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (found) => "·".repeat(found.length))
    .replace(/\/\/.*$|\/\*.*$/, (found) => "·".repeat(found.length));
}
