import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { PROGRAMS, usageOf } from "../../scripts/named.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const documents = repositoryFiles().filter((path) => path.endsWith(".md"));

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

test("the documents that a newcomer needs are there", () => {
  const needed = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs/background/architecture.md",
    "docs/reference/errors.md",
    "docs/reference/glossary.md",
  ];
  assert.deepEqual(
    [...needed, "docs/decisions"].filter((path) => !existsSync(join(repositoryRoot, path))),
    [],
  );
});

test("every npm script that a document names exists, and the file that it runs too", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const missing: string[] = [];
  for (const path of documents) {
    for (const [, script] of read(path).matchAll(/\bnpm (?:run )?((?<=run )[\w:-]+|start|test)\b/g)) {
      const file = / ((?:src|scripts|test|bench)\/[\w./-]+)/.exec(
        scripts[script ?? ""]?.replace(/^exec node \S+/, "") ?? "",
      );
      if (scripts[script ?? ""] === undefined) missing.push(`${path} names npm run ${script}`);
      else if (file !== null && !existsSync(join(repositoryRoot, file[1] ?? "")))
        missing.push(`${path}: no ${file[1]}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("every link within the documents leads somewhere", () => {
  const dead: string[] = [];
  for (const path of documents) {
    for (const link of linksOf(read(path))) {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file)));
      if (!existsSync(join(repositoryRoot, target))) dead.push(`${path} → ${link}`);
      else if (anchor !== undefined && !anchorsOf(target).has(anchor)) dead.push(`${path} → ${link} (no such heading)`);
    }
  }
  assert.deepEqual(dead, []);
});

test("a file that a comment names is there", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  const known = new Set([
    ...repositoryFiles().map((path) => posix.basename(path)),
    ...Object.keys({ ...dependencies, ...devDependencies }),
  ]);
  const sources = repositoryFiles().filter((path) =>
    /^(?:src|web|client|bench|scripts|test)\/.*\.(?:tsx?|js)$/.test(path),
  );
  const gone = sources.flatMap((path) => {
    const comments = read(path)
      .split("\n")
      .filter((line) => /^\s*(?:\/\*\*|\*|\/\/)/.test(line));
    const named = comments.join("\n").matchAll(/(?<![\w/.*-])([\w-]+(?:\.[\w-]+)*\.(?:tsx?|js))\b(?![\w/*])/g);
    return [...named].filter(([name]) => !known.has(name)).map(([name]) => `${path}: ${name}`);
  });
  assert.deepEqual(gone, []);
});

test("a link whose text is the name of a file leads to that file", () => {
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/\[`?([\w-]+(?:\.\w+)*\.(?:tsx?|js))`?\]\(([^)#\s]+)/g)].map(([link, name, to = ""]) => ({
      link: `${path}: ${link}`,
      isSame: posix.basename(to) === name,
    })),
  );
  assert.ok(named.length > 100, `${named.length} links`);
  assert.deepEqual(
    named.filter(({ isSame }) => !isSame).map(({ link }) => link),
    [],
  );
});

test("no program that npm run bench or npm run tool starts waits to be started by itself", () => {
  const files = Object.values(PROGRAMS).flatMap((programs) => Object.values(programs));
  assert.deepEqual(
    files.filter((file) => /\bimport\.meta\.main\b/.test(read(file))),
    [],
    "what another module imports is never main: isProgram of scripts/is-program.ts knows both ways",
  );
});

test("every program of npm run bench and npm run tool begins with what --help shows", () => {
  const files = Object.values(PROGRAMS).flatMap((programs) => Object.values(programs));
  assert.deepEqual(
    files.filter((file) => usageOf(join(repositoryRoot, file)).length < 40),
    [],
  );
});

test("every program that a document names to npm run bench and npm run tool is there", () => {
  const wrong: string[] = [];
  for (const path of documents.filter((each) => each !== "CHANGELOG.md")) {
    for (const [, script = "", name = ""] of read(path).matchAll(/\bnpm run (bench|tool)\b(?: ([a-z-]+))?/g)) {
      const file = PROGRAMS[script]?.[name];
      if (name !== "" && name !== "NAME" && (file === undefined || !existsSync(join(repositoryRoot, file))))
        wrong.push(`${path}: ${script} ${name}`);
    }
  }
  for (const file of Object.values(PROGRAMS).flatMap((programs) => Object.values(programs)))
    if (!existsSync(join(repositoryRoot, file))) wrong.push(file);
  assert.deepEqual(wrong, []);
});

/** Targets of the Markdown links to other files of the repository or to headings; examples in code are not links. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(```+|~~~+)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const reference = [...prose.matchAll(/^\[[^\]]+\]: +<?([^\s>]+)/gm)];
  return [...inline, ...reference].map((match) => match[1] ?? "").filter((link) => !/^[a-z]+:/i.test(link));
}

/** Anchors of a document as the usual renderers make them from its headings; a folder has none. */
function anchorsOf(path: string): Set<string> {
  if (!statSync(join(repositoryRoot, path)).isFile() || !path.endsWith(".md")) return new Set();
  const anchors = new Set<string>();
  for (const [, heading = ""] of read(path).matchAll(/^#{1,6} +(.+?)\s*$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

test("the reading of links finds the dead ones and passes over code and the outside world", () => {
  const text = "[a](b.md) `[no](c.md)` [out](https://example.org) [d](#e)\n```\n[no](f.md)\n```\n[r]: g.md\n";
  assert.deepEqual(linksOf(text), ["b.md", "#e", "g.md"]);
});
