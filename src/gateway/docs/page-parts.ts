/** Parts of the pages about sockets: HTML, from data of a contract. */
import type { RecordType, Vocabulary } from "../request/rules.ts";

type Words = Pick<Vocabulary, "records" | "enums">;

/** A record and those that it holds, each once. */
export function recordTables({ records }: Pick<Words, "records">, name: string, shown = new Set<string>()): string {
  const record = records.get(name);
  if (record === undefined || shown.has(name)) return "";
  shown.add(name);
  const inner = record.fields.map(({ type }) => recordTables({ records }, itemOf(type), shown)).join("");
  const title = shown.size > 1 ? `<h5>${code(name)}</h5>` : "";
  return title + recordTable(record) + inner;
}

export function recordTable({ fields, kind }: RecordType): string {
  const rows = fields.map(({ name, type, enum: values, meaning }) => [
    code(name),
    escaped(type) + (values ? ` <a href="#${values}">${values}</a>` : ""),
    escaped(meaning),
  ]);
  return table([kind === "tuple" ? "Member" : "Field", "Type", "Meaning"], rows);
}

export function itemOf(type: string): string {
  return /^array<(\w+)>$/.exec(type)?.[1] ?? type;
}

export function section(id: string, title: string, body: string): string {
  return `<section id="${id}"><h3>${code(title)}</h3>${body}</section>`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

export function list(items: readonly string[]): string {
  return items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

export function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Tables of enumerations, each with its name as the place to point to. */
export function enumTables({ enums }: Pick<Words, "enums">, names: Iterable<string>): string {
  return [...names]
    .map((name) => {
      const values = enums.get(name)?.values ?? [];
      const rows = values.map(({ value, meaning }) => [code(JSON.stringify(value)), escaped(meaning ?? "")]);
      return `<h4 id="${name}">${name}</h4>${table(["Value", "Meaning"], rows)}`;
    })
    .join("\n");
}

/** The enumerations that records and those within them name. */
export function enumsOf({ records }: Pick<Words, "records">, types: Iterable<string>): Set<string> {
  const named = new Set<string>();
  const visited = new Set<string>();
  const visit = (type: string) => {
    const name = itemOf(type);
    if (visited.has(name)) return;
    visited.add(name);
    for (const field of records.get(name)?.fields ?? []) {
      if (field.enum) named.add(field.enum);
      visit(field.type);
    }
  };
  for (const type of types) visit(type);
  return named;
}

/** Puts the parts, which are HTML, in place of `{{name}}`. */
export function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`The page of the sockets names ${name}, which nobody gives.`);
    return part;
  });
}
