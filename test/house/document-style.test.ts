/**
 * Documents are plain technical English in lines of 120 characters, and new commits have short subjects. `npm run tool
 * documents` wraps the documents.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { longLines, wrapped } from "../../scripts/documents.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** Phrases that have to be read twice, or that the trade has another word for; by what stands in their place. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, "anyone who, or no matter who"],
  [/\b(?:says|say|said) so\b/i, "reports it, shows it"],
  [/\b(?:knows|know) nobody\b/i, "does not import"],
  [/\bthat there is not\b/i, "that does not exist"],
  [/\b(?:has|is|are|does|do|know|knows) (?:it |them )?no more(?![\w ]* than\b)[.,;)]/i, "no longer"],
  [/\bdeeds?\b/i, "action"],
  [/\bhappenings?\b/i, "event"],
  [/\b(?:unbearable|bearing margin|settleDown)\b/i, "under-margined"],
  [/\bwitness(?:es)?\b/i, "commit marker, observer"],
  [/\bpurses?\b/i, "funds"],
  [/\bcrowds?\b/i, "background traders"],
  [/\bfast lanes?\b|\blanes? for\b/i, "fast path"],
  [/\bis a hope\b/i, "test it"],
  // A sentence, not a question and not a cell of a table.
  [/(?<=[.:;] )Who [^.?|]+[.;:]/, "a user who, an operator who"],
];

/**
 * Phrases of comments in src, web and client that have to be read twice, and how many are left. Fewer is better: the
 * numbers here follow, and a phrase of which none is left stays none.
 */
const IN_COMMENTS: readonly (readonly [phrase: RegExp, left: number, better: string])[] = [
  [/\/\*\* What\b/g, 11, "Begin with the thing or a verb."],
  [/\bwhoever\b/gi, 0, "Say anyone who, or no matter who."],
  [/\b(?:says|say|said) so\b/gi, 23, "Say what it reports."],
  [/\b(?:knows|know) nobody\b/gi, 0, "Say does not import."],
  [/\bthat there (?:is|are) not\b/gi, 0, "Say that does not exist."],
  [/\b(?:has|is|are|does|do|knows?) (?:it |them )?no more(?=[.,;)])/gi, 3, "Say no longer."],
  [/\/\*\* Lets\b/g, 7, "Begin with what it does."],
  [/\b(?:deeds|happenings?|purses?)\b/gi, 0, "See the glossary."],
];

/** Commits from then on have subjects of at most 72 characters. Times are those of the commits. */
const SUBJECTS_SINCE = "2026-11-27T02:56:00Z";
const SUBJECT_MAX = 72;

/** What a reader who does not know the project looks for, and the links that he follows to it from the README. */
const CLICKS: Readonly<Record<string, readonly string[]>> = {
  "test a bot in Python": ["docs/start/test-a-bot.md"],
  "test a bot with pytest in CI": ["docs/start/test-a-bot.md", "docs/guides/testing-a-bot.md"],
  "add a market product": ["docs/start/add-a-market.md", "docs/guides/adding-a-market.md"],
  "restore a backup": ["docs/guides/backups.md"],
  "what happens when a node dies": ["docs/guides/cluster.md#when-things-fail"],
};

const documents = repositoryFiles().filter((path) => /^(?:docs\/.*|[^/]+)\.md$/.test(path));

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

/** Prose of a document: no code, no targets of links, one space between words. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^(```+|~~~+)[\s\S]*?^\1/gm, " ")
    .replaceAll(/`[^`\n]*`/g, "x")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ");
}

function retiredIn(text: string): string[] {
  const prose = proseOf(text);
  return RETIRED.flatMap(([phrase, better]) => {
    const [found] = phrase.exec(prose) ?? [];
    return found === undefined ? [] : [`"${found}", better: ${better}`];
  });
}

test("no line of a document's prose is longer than 120 characters; npm run tool documents wraps them", () => {
  assert.ok(documents.length > 50);
  const long = documents.flatMap((path) => longLines(read(path)).map((line) => `${path}:${line}`));
  assert.deepEqual(long, []);
});

test("paragraphs and items are wrapped; tables, code, comments and short paragraphs stay", () => {
  const word = "word ".repeat(40).trim();
  const kept = `| ${word} |\n\n\`\`\`\n${word}\n\`\`\`\n<!-- before: ${word} -->\nshort\nlines\n`;
  assert.equal(wrapped(kept), kept);
  const text = wrapped(`- ${word}\n- a\n\n1. ${word} - ${word}\n`);
  assert.deepEqual(longLines(text), []);
  assert.match(text, /^- .*\n(?: {2}w.*\n)+- a\n\n1\. .*\n(?: {3}w.*\n)+$/);
  assert.equal(text.replace(/\s+/g, " "), `- ${word} - a 1. ${word} - ${word} `);
  assert.deepEqual(longLines(`a\n\n${word}\n`), [3]);
  assert.deepEqual(longLines(`x\`${word}\`\n`), []);
});

test("the documents use none of the retired phrases", () => {
  // The changelog speaks of what there was, the glossary of words that stay.
  const pages = documents.filter((path) => path !== "CHANGELOG.md" && path !== "docs/reference/glossary.md");
  assert.deepEqual(
    pages.flatMap((path) => retiredIn(read(path)).map((found) => `${path}: ${found}`)),
    [],
  );
});

test("each retired phrase is found, also over the end of a line, and not in code", () => {
  const planted = "Whoever asks\nsays\nso. It knows nobody, and a name that there is not. It has it no more. ";
  assert.equal(
    retiredIn(`${planted}deeds happening unbearable witness purse crowd lane for is a hope. Who asks pays.`).length,
    RETIRED.length,
  );
  assert.deepEqual(retiredIn("`whoever`\n```\nsays so\n```\n"), []);
});

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w\\])\/\/ [^\n]*(?:\n\s*\/\/ [^\n]*)*/g;

/** The comments of a file, each in one line. */
function commentsOf(source: string): string {
  const comments = source.match(COMMENT) ?? [];
  return comments
    .map((comment) => comment.replaceAll(/\s*\n\s*(?:\*|\/\/) ?/g, " ").replaceAll(/\s+/g, " "))
    .join("\n");
}

test("comments hold no more phrases that have to be read twice than are known", (t) => {
  const sources = ["src", "web/src", "client"].flatMap((folder) => repositoryFiles(folder));
  const files = sources.filter((path) => /\.(?:tsx?|js)$/.test(path) && !/\.(?:test|generated)\./.test(path));
  const comments = files.map((path) => commentsOf(read(path))).join("\n");
  const wrong = IN_COMMENTS.flatMap(([phrase, left, better]) => {
    const count = comments.match(phrase)?.length ?? 0;
    t.diagnostic(`${phrase.source}: ${count}`);
    return count > left ? [`${phrase.source}: ${count}, and ${left} were known. ${better}`] : [];
  });
  assert.deepEqual(wrong, []);
});

test("each such phrase is found in a comment, over the end of a line too, and not in code", () => {
  const planted = [
    "/** What\n * it is. Whoever asks says\n * so, knows nobody that there is not, and is no more. */",
    "/**\n * Lets it be of deeds. */",
    "// whoever\n// says so",
  ].join("\n");
  const found = commentsOf(planted);
  for (const [phrase] of IN_COMMENTS) assert.ok((found.match(phrase)?.length ?? 0) > 0, phrase.source);
  assert.equal(found.match(/whoever/gi)?.length, 2);
  assert.equal(commentsOf('const whoever = "// says so";'), "");
});

test("subjects of new commits have at most 72 characters", (t) => {
  const log = spawnSync("git", ["log", `--since=${SUBJECTS_SINCE}`, "--format=%h %s"], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  // A package, or a machine without git, has no commits; a shallow clone has its newest ones.
  if (log.status !== 0) return t.skip("git shows no commits here");
  const long = log.stdout.split("\n").filter((line) => line.slice(line.indexOf(" ") + 1).length > SUBJECT_MAX);
  assert.deepEqual(long, []);
});

test("a newcomer finds what he looks for from the README within two links", () => {
  const missing = Object.entries(CLICKS).flatMap(([goal, path]) => {
    assert.ok(path.length <= 2);
    return path.flatMap((target, at) => {
      const from = at === 0 ? "README.md" : (path[at - 1] ?? "").replace(/#.*/, "");
      return linksOf(from).includes(target) ? [] : [`${goal}: ${from} has no link to ${target}`];
    });
  });
  assert.deepEqual(missing, []);
});

test("every page of docs is in the index, docs/README.md, but decisions", () => {
  const pages = documents.filter((path) => /^docs\/(?:start|guides|reference|background)\//.test(path));
  const index = linksOf("docs/README.md").map((target) => target.replace(/#.*/, ""));
  assert.deepEqual(
    pages.filter((page) => !index.includes(page)),
    [],
  );
});

/** Targets of a page's links, as paths of the repository. */
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) =>
    posix.normalize(posix.join(posix.dirname(page), link)),
  );
}
