/**
 * `npm run tool documents` wraps the paragraphs and lists of all documents at 120 characters. Code, tables, headings
 * and comments stay as they are. `test/house/document-style.test.ts` fails on a longer line.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { isProgram } from "./is-program.ts";

/** Longest line of a document, in characters: two pages stand side by side on a usual screen. */
export const LINE_MAX = 120;

const FENCE = /^\s*(```+|~~~+)/;
const ITEM = /^\s*(?:[-*+]|\d+[.)]) +/;
/**
 * Lines that end a paragraph and are never wrapped: headings, tables, comments and tags, quotations, definitions of
 * links.
 */
const FIXED = /^\s*(?:#{1,6} |\||<|>|\[[^\]]+\]: )/;
/** A word that would change its meaning at the beginning of a line. */
const MARKUP = /^(?:[-+*=|>#]|\d+[.)]$)/;

/** A line of a document, or lines of one paragraph or item of a list. */
interface Block {
  readonly lines: readonly string[];
  readonly prose: boolean;
}

/** The text with long paragraphs wrapped. A paragraph without a long line keeps its lines. */
export function wrapped(text: string): string {
  return blocksOf(text)
    .flatMap(({ lines, prose }) => (prose && lines.some((line) => line.length > LINE_MAX) ? wrap(lines) : lines))
    .join("\n");
}

/**
 * The numbers of the lines that are too long. Rows of tables, code and comments have no bound; nor has a line that is
 * one word.
 */
export function longLines(text: string): number[] {
  let number = 0;
  const long: number[] = [];
  for (const { lines, prose } of blocksOf(text)) {
    for (const line of lines) {
      number += 1;
      if (prose && line.length > LINE_MAX && /\S\s+\S/.test(line.trim().replace(/`[^`]*`/g, "x"))) long.push(number);
    }
  }
  return long;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: string[] | undefined;
  let fence: string | undefined;
  let comment = false;
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    const fixed = fence !== undefined || comment || mark !== undefined || line.trim() === "" || FIXED.test(line);
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (!comment) fence = mark;
    if (fence === undefined) comment = (comment || line.includes("<!--")) && !line.includes("-->");
    if (fixed) {
      open = undefined;
      blocks.push({ lines: [line], prose: false });
    } else if (open === undefined || ITEM.test(line)) {
      open = [line];
      blocks.push({ lines: open, prose: true });
    } else open.push(line);
    if (/(?: {2}|\\)$/.test(line)) open = undefined;
  }
  return blocks;
}

function wrap(lines: readonly string[]): string[] {
  const [first = ""] = lines;
  const [head = ""] = ITEM.exec(first) ?? /^\s*/.exec(first) ?? [];
  const indent = " ".repeat(head.length);
  const words =
    lines
      .join(" ")
      .slice(head.length)
      .match(/(?:`[^`]*`|[^\s`])+|`/g) ?? [];
  const wrappedLines: string[] = [];
  let line = head;
  let empty = true;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    // A word that would be markup at the beginning of a line takes the word before it along.
    const needed = MARKUP.test(next) ? word.length + 1 + next.length : word.length;
    if (!empty && !MARKUP.test(word) && line.length + 1 + needed > LINE_MAX) {
      wrappedLines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...wrappedLines, line];
}

if (isProgram(import.meta.url)) {
  for (const path of globSync(["*.md", "docs/**/*.md"])) {
    const text = readFileSync(path, "utf8");
    const better = wrapped(text);
    if (better === text) continue;
    writeFileSync(path, better);
    process.stdout.write(`${path}\n`);
  }
}
