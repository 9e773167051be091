/**
 * The code blocks of the documents, and what comments above them say of how they are run:
 *
 * - `<!-- not run: REASON -->`  it cannot be run here;
 * - `<!-- goes on -->`          it goes on from the block before it on its page;
 * - `<!-- before: CODE -->` and `<!-- after: CODE -->`  what a reader has, or does, besides;
 * - `<!-- prints: TEXT -->`     it fails, as the page says, and prints this.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../house/program.ts";
import { repositoryFiles } from "../house/repository-files.ts";

export type Language = "sh" | "js" | "ts" | "python";

export interface Block {
  /** Page and line, for messages. */
  readonly place: string;
  readonly page: string;
  readonly language: Language;
  readonly code: string;
  readonly notRun: string | undefined;
  readonly goesOn: boolean;
  readonly before: string;
  readonly after: string;
  readonly prints: string | undefined;
}

const LANGUAGES: ReadonlySet<string> = new Set<Language>(["sh", "js", "ts", "python"]);
/** What is no program: data, other programs' settings, what something prints. */
const NO_PROGRAMS: ReadonlySet<string> = new Set(["", "json", "yaml", "text", "nginx", "mermaid", "toml", "csv"]);
const FENCE = /^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm;
const COMMENT = /<!-- (not run|goes on|before|after|prints)(?:: ([\s\S]*?))? -->/g;

/** All blocks of programs in README and docs. Throws where one is of a language that nobody runs. */
export function blocksOfDocuments(): Block[] {
  const pages = repositoryFiles().filter((path) => path === "README.md" || /^docs\/.*\.md$/.test(path));
  return pages.flatMap((page) => blocksOf(page, readFileSync(join(repositoryRoot, page), "utf8")));
}

export function blocksOf(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  for (const { 1: language = "", 2: code = "", index } of text.matchAll(FENCE)) {
    const place = `${page}:${text.slice(0, index).split("\n").length}`;
    if (NO_PROGRAMS.has(language)) continue;
    if (!LANGUAGES.has(language)) throw new Error(`${place} is of the language ${language}, which no test runs.`);
    const said = commentsAbove(text.slice(0, index));
    blocks.push({
      ...{ place, page, language: language as Language, code },
      notRun: said.get("not run"),
      goesOn: said.has("goes on"),
      before: said.get("before") ?? "",
      after: said.get("after") ?? "",
      prints: said.get("prints"),
    });
  }
  return blocks;
}

/** What the comments in the lines right above a block say. */
function commentsAbove(head: string): Map<string, string> {
  const [comments = ""] = /(?:<!-- (?:(?!-->)[\s\S])* -->\n)*$/.exec(head) ?? [];
  return new Map([...comments.matchAll(COMMENT)].map(([, name = "", said = ""]) => [name, said]));
}

/** A program of one or several blocks that go on from each other. */
export interface Program {
  readonly place: string;
  readonly language: Language;
  readonly code: string;
  readonly prints: string | undefined;
}

/** The programs of all blocks that are run, in the order of their pages. */
export function programsOf(blocks: readonly Block[]): Program[] {
  const programs: Program[] = [];
  for (const { place, language, code, notRun, goesOn, before, after, prints } of blocks) {
    if (notRun !== undefined) continue;
    const own = [before, code, after].filter((part) => part !== "").join("\n");
    const last = programs.at(-1);
    if (!goesOn) programs.push({ place, language, code: own, prints });
    else if (last?.language !== language) throw new Error(`${place} goes on from nothing.`);
    else programs[programs.length - 1] = { ...last, code: `${last.code}\n${own}`, prints: prints ?? last.prints };
  }
  return programs;
}
