/**
 * HTML of the Markdown that docs/ is written in: headings, paragraphs, lists, tables, quotations, code. Everything else
 * is text. All text is escaped, so a page can hold no markup of its own.
 */
import { code, escaped } from "./page-parts.ts";

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The address of a link as it is in the document, or undefined where the reader has nothing at that place. */
export type Target = (link: string) => string | undefined;

/** The HTML of a diagram by its text, or undefined where there is no picture of it. */
export type Drawing = (source: string) => string | undefined;

const FENCE = /^(\s*)(```+)(\w*)/;
const ITEM = /^(\s*)([-*]|\d+\.) +(.*)$/;
const HEADING = /^(#{1,6}) +(.*)$/;

export function renderMarkdown(text: string, target: Target, drawing: Drawing = () => undefined): Rendered {
  const headings: Heading[] = [];
  const lines = text.replaceAll(/<!--[\s\S]*?-->\n?/g, "").split("\n");
  return { html: blocks(lines, { target, drawing, headings }), headings };
}

interface Page {
  readonly target: Target;
  readonly drawing: Drawing;
  readonly headings: Heading[];
}

function blocks(lines: readonly string[], page: Page): string {
  let html = "";
  for (let at = 0; at < lines.length; ) {
    const end = blockEnd(lines, at);
    html += block(lines.slice(at, end), page);
    at = end;
  }
  return html;
}

/** The line behind the block that begins at `at`: a fence ends with its like, a list where its indentation ends. */
function blockEnd(lines: readonly string[], at: number): number {
  const first = lines[at] ?? "";
  const [, , mark = ""] = FENCE.exec(first) ?? [];
  let end = at + 1;
  if (mark !== "") {
    while (end < lines.length && !(lines[end] ?? "").trim().startsWith(mark)) end += 1;
    return end + 1;
  }
  if (first.trim() === "" || HEADING.test(first)) return end;
  if (ITEM.test(first)) return listEnd(lines, end);
  const isTable = first.startsWith("|");
  while (end < lines.length && belongs(lines[end] ?? "", isTable)) end += 1;
  return end;
}

function belongs(line: string, isTable: boolean): boolean {
  if (line.trim() === "" || HEADING.test(line) || FENCE.test(line)) return false;
  return isTable === line.startsWith("|") && (isTable || !ITEM.test(line));
}

/** A list goes on with items, indented lines, and lines that continue a paragraph. */
function listEnd(lines: readonly string[], from: number): number {
  let end = from;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const isInside = ITEM.test(line) || /^\s{2,}\S/.test(line);
    if (line.trim() === "" && !/^\s{2,}\S/.test(lines[end + 1] ?? "") && !ITEM.test(lines[end + 1] ?? "")) break;
    if (line.trim() !== "" && !isInside && (lines[end - 1] ?? "").trim() === "") break;
    if (HEADING.test(line)) break;
  }
  return end;
}

function block(lines: readonly string[], page: Page): string {
  const [first = ""] = lines;
  if (first.trim() === "") return "";
  const [, indent = "", mark, language = ""] = FENCE.exec(first) ?? [];
  if (mark !== undefined) {
    const body = lines
      .slice(1, -1)
      .map((line) => line.slice(Math.min(indent.length, /^\s*/.exec(line)?.[0].length ?? 0)))
      .join("\n");
    const drawn = language === "mermaid" ? page.drawing(body) : undefined;
    return drawn ?? `<pre class="code" tabindex="0"><code>${escaped(body)}</code></pre>\n`;
  }
  const [, marks = "", title = ""] = HEADING.exec(first) ?? [];
  if (marks !== "") return heading(marks.length, title, page);
  if (ITEM.test(first)) return list(lines, page);
  if (first.startsWith("|")) return tableOf(lines, page);
  if (first.startsWith(">"))
    return `<blockquote>${blocks(
      lines.map((line) => line.replace(/^> ?/, "")),
      page,
    )}</blockquote>\n`;
  return `<p>${inline(lines.join(" "), page)}</p>\n`;
}

function heading(level: number, title: string, page: Page): string {
  const text = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
  const plain = anchorOf(title);
  const same = page.headings.filter(({ anchor }) => anchor === plain || anchor.startsWith(`${plain}-`)).length;
  const anchor = same === 0 ? plain : `${plain}-${same}`;
  page.headings.push({ level, text, anchor });
  return `<h${level} id="${escaped(anchor)}">${inline(title, page)}</h${level}>\n`;
}

/** The anchor of a heading as the usual renderers make it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function list(lines: readonly string[], page: Page): string {
  const [, indent = "", mark = ""] = ITEM.exec(lines[0] ?? "") ?? [];
  const items: string[][] = [];
  for (const line of lines) {
    const [, own = "", , text = ""] = ITEM.exec(line) ?? [];
    if (ITEM.test(line) && own.length <= indent.length) items.push([text]);
    else items.at(-1)?.push(line.slice(Math.min(indent.length + mark.length + 1, /^\s*/.exec(line)?.[0].length ?? 0)));
  }
  const name = /\d/.test(mark) ? "ol" : "ul";
  const body = items.map((item) => `<li>${tight(blocks(item, page))}</li>`).join("\n");
  return `<${name}>\n${body}\n</${name}>\n`;
}

/** An item of one paragraph needs none. */
function tight(html: string): string {
  const [, only] = /^<p>((?:(?!<p>)[\s\S])*)<\/p>\n$/.exec(html) ?? [];
  return only ?? html;
}

function tableOf(lines: readonly string[], page: Page): string {
  const [head = "", , ...rows] = lines;
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell, page).replaceAll("&#60;br&#62;", "<br>")}</${tag.split(" ")[0]}>`)
      .join("")}</tr>`;
  const body = rows.map((line) => row(line, "td")).join("\n");
  return (
    `<div class="scroll" ` +
    `tabindex="0"><table><thead>${row(head, 'th scope="col"')}</thead><tbody>${body}</tbody></table></div>\n`
  );
}

/** The cells of a row; a bar with a backslash before it is text. */
function cells(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Code first, so that nothing in it is taken for markup; a zero byte and its number stand for it until the end. */
function inline(text: string, page: Page): string {
  const codes: string[] = [];
  const withoutCode = text.replaceAll("\0", "").replaceAll(/`([^`]*)`/g, (_, inner: string) => {
    codes.push(code(inner));
    return `\0${codes.length - 1}\0`;
  });
  return escaped(withoutCode)
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "<em>$1</em>")
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, link: string) => {
      const address = page.target(link);
      return address === undefined ? label : `<a href="${address}">${label}</a>`;
    })
    .replaceAll(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/(?<![\w*])\*([^\s*][^*]*?)\*(?![\w*])/g, "<em>$1</em>")
    .replaceAll(/\0(\d+)\0/g, (_, at: string) => codes[Number(at)] ?? "");
}
