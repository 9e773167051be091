/** The frame of every page of the documents: its head, and the header that leads to the others. */
import { readFileSync } from "node:fs";

/**
 * Puts both into a page's HTML, where it has `<!-- head -->` and `<!-- header -->`; the link to the page itself, at
 * `path`, is marked.
 */
export function framed(html: string, path?: string): string {
  const header = part("header.html").replace(`href="${path}"`, `href="${path}" aria-current="page"`);
  return html.replace("<!-- head -->", () => part("head.html")).replace("<!-- header -->", () => header);
}

function part(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8")
    .trimEnd()
    .replaceAll("\n", "\n    ");
}
