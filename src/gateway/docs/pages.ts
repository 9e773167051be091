/**
 * The documents of docs/ as pages of a venue: `/docs/pages` is their index, `/docs/search.json` names
 * what the search box looks through.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { contentMethods, STRICT_PAGE_HEADERS } from "../http/content.ts";
import type { Routes } from "../http/router.ts";
import { diagramRoutes, diagramsIn } from "./diagrams.ts";
import { framed } from "./frame.ts";
import { type Drawing, type Rendered, renderMarkdown, type Target } from "./markdown.ts";
import { escaped } from "./page-parts.ts";

/** A part of a page that the search can lead to: a heading and the words below it. */
interface Section {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly address: string;
  readonly text: string;
}

const BASE = "/docs/pages";
const INDEX = "README.md";

/** Where the documents lie, in a checkout and in a package; where there are none, none are served. */
const FOLDERS = ["../../../docs/", "../../../../docs/"];

/** Routes of all documents, each made at the first request for it. None where the documents are not installed. */
export function pageRoutes(folder = documentsFolder()): Routes {
  if (folder === undefined) return new Map();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md"))
    .sort();
  const known = new Set(files);
  const drawing = diagramsIn(folder);
  const load = (file: string) => rendered(`${folder}${file}`, targetFrom(file, known), drawing);
  const template = readFileSync(new URL("pages.html", import.meta.url), "utf8");
  return new Map([
    ...diagramRoutes(folder),
    ...files.map((file) => [addressOf(file), contentMethods(() => pageContent(template, file, load(file)))] as const),
    // An index of each document for itself: reading all of them would hold the venue up for some 100 ms.
    ...files.map((file) => [indexOf(file), contentMethods(() => json(sectionsOf(file, load(file))))] as const),
    ["/docs/search.json", contentMethods(() => json(files.map(indexOf)))],
    ["/docs/search.js", contentMethods(() => asset("search.js", "text/javascript; charset=utf-8"))],
    ["/docs/pages.css", contentMethods(() => asset("pages.css", "text/css; charset=utf-8"))],
  ]);
}

function documentsFolder(): string | undefined {
  return FOLDERS.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find((folder) =>
    existsSync(`${folder}${INDEX}`),
  );
}

function json(data: unknown) {
  return { type: "application/json; charset=utf-8", body: JSON.stringify(data) };
}

/** The address of what the search looks through of a document. */
function indexOf(file: string): string {
  return `/docs/search/${file.replace(/\.md$/, "")}.json`;
}

function asset(name: string, type: string) {
  return { type, body: readFileSync(new URL(name, import.meta.url)) };
}

function rendered(path: string, target: Target, drawing: Drawing): Rendered {
  return renderMarkdown(readFileSync(path, "utf8"), target, drawing);
}

/** The address of a document: `start/tour.md` is at /docs/pages/start/tour. */
export function addressOf(file: string): string {
  return file === INDEX ? BASE : `${BASE}/${file.replace(/\.md$/, "")}`;
}

/**
 * Links to other documents lead to their pages, those to the outside stay; files of the repository have no address
 * here.
 */
function targetFrom(file: string, known: ReadonlySet<string>): Target {
  return (link) => {
    if (/^https?:\/\//.test(link)) return escaped(link);
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : posix.normalize(posix.join(posix.dirname(file), path));
    if (!known.has(target)) return undefined;
    return addressOf(target) + (anchor === undefined ? "" : `#${escaped(anchor)}`);
  };
}

function pageContent(template: string, file: string, { html, headings }: Rendered) {
  const title = headings[0]?.text ?? file;
  const contents = headings
    .filter(({ level }) => level === 2)
    .map(({ text, anchor }) => `<li><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`);
  const body = framed(template, BASE)
    .replace("{{title}}", () => escaped(title))
    .replace("{{contents}}", () => (contents.length < 2 ? "" : `<ol>${contents.join("\n")}</ol>`))
    .replace("{{body}}", () => html);
  return { type: "text/html; charset=utf-8", body, headers: STRICT_PAGE_HEADERS };
}

/** The text below each heading. */
function sectionsOf(file: string, { html, headings }: Rendered): Section[] {
  const parts = html.split(/(?=<h[1-6] id=")/).filter((part) => part.startsWith("<h"));
  const [{ text: title = file } = {}] = headings;
  return parts.map((part, at) => {
    const { text: heading = title, anchor = "" } = headings[at] ?? {};
    const text = part
      .replace(/^<h[^>]*>.*?<\/h[1-6]>/, "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)))
      .replaceAll(/\s+/g, " ")
      .trim();
    return { page: file, title, heading, address: `${addressOf(file)}#${anchor}`, text };
  });
}
