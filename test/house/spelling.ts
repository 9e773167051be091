/**
 * A check of the spelling of documents, comments and messages, by the British dictionary of Hunspell and a list of our
 * own, words.txt. What stands in code spans, code blocks, links and braces is no prose.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { repositoryRoot } from "./program.ts";

/** Returns the words of a text that are in neither list, each once. */
export type Speller = (prose: string) => string[];

/** Words of small letters with a capital at most: abbreviations and names of code are no words. */
const WORD = /(?<![\w./$@#\\-])[A-Za-z][a-z]+(?:'[a-z]+)?(?![\w/$@]|\.\w)/g;
const OWN = "test/house/words.txt";

interface Dictionary {
  correct(word: string): boolean;
  add(word: string): unknown;
}

/** One word a line; `#` begins a comment. */
export function ownWords(): string[] {
  const lines = readFileSync(join(repositoryRoot, OWN), "utf8").split("\n");
  return lines.map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "");
}

export function openSpeller(own: readonly string[] = ownWords()): Speller {
  const require = createRequire(import.meta.url);
  const folder = join(require.resolve("dictionary-en-gb"), "..");
  const nspell = require("nspell") as (aff: Buffer, dic: Buffer) => Dictionary;
  const dictionary = nspell(readFileSync(join(folder, "index.aff")), readFileSync(join(folder, "index.dic")));
  const known = new Map<string, boolean>();
  for (const word of own) for (const form of [word, `${word}'s`, capital(word)]) known.set(form, true);
  const isKnown = (word: string) => {
    const found = known.get(word) ?? (dictionary.correct(word) || known.get(word.replace(/'s$/, "")) === true);
    known.set(word, found);
    return found;
  };
  return (prose) => [...new Set(prose.match(WORD))].filter((word) => !isKnown(word));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The prose of a document in Markdown. */
export function proseOfDocument(text: string): string {
  return withoutCode(text.replaceAll(/^(```+|~~~+)[\s\S]*?^\1/gm, " "));
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w\\])\/\/ [^\n]*/g;
/** A text of three words and more, or one that begins with a capital and ends as a sentence does. */
const MESSAGE =
  /"([A-Z][^"\n]*[.!?:]|[^"\n]*[a-z] [a-z][^"\n]* [^"\n]*)"|`([A-Z][a-z]* [^`{}<>;=]*(?:\$\{[^}`]*\}[^`{}<>;=]*)*)`/g;

export function proseOfComments(source: string): string {
  return withoutCode((source.match(COMMENT) ?? []).join("\n"));
}

/** Sentences that people read. */
export function proseOfMessages(source: string): string {
  const code = source.replaceAll(COMMENT, " ");
  const texts = [...code.matchAll(MESSAGE)].map(([, text, template]) => text ?? template ?? "");
  return withoutCode(texts.map((text) => text.replaceAll(/\$\{[^}]*\}/g, " x ").replaceAll(/\\\w/g, " ")).join("\n"));
}

function withoutCode(text: string): string {
  return text
    .replaceAll(/`[^`\n]*`/g, " ")
    .replaceAll(/\]\([^)]*\)/g, "] ")
    .replaceAll(/<[^>\n]+>/g, " ")
    .replaceAll(/https?:\/\/\S+/g, " ");
}
