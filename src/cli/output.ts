/** How answers are printed: as JSON for programs, else as lines for people. */
import { printable } from "../gateway/request/clean-text.ts";

export function print(data: object, asJson: boolean | undefined): void {
  process.stdout.write(asJson === true ? `${JSON.stringify(data)}\n` : lines(data));
}

/** One line for each field; records among them as tables, or as lines of their own where they hold records again. */
export function lines(data: object): string {
  const rows = Object.entries(data);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows
    .map(([name, value]) =>
      isRecords(value) ? `${name}\n${indented(recordsText(value))}` : `${name.padEnd(width)}  ${valueText(value)}\n`,
    )
    .join("");
}

type Fields = Readonly<Record<string, unknown>>;

function isRecords(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null);
}

function recordsText(records: readonly Fields[]): string {
  if (records.some((record) => Object.values(record).some(isRecords))) return records.map(lines).join("\n");
  const names = [...new Set(records.flatMap(Object.keys))];
  return table(
    names,
    records.map((record) => names.map((name) => valueText(record[name] ?? ""))),
  );
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueText).join(", ");
  if (typeof value !== "object" || value === null) return printable(String(value));
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${valueText(inner)}`)
    .join(" ");
}

/** Columns that line up: the first to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((text, column) =>
      column === 0 ? text.padEnd(widths[0] as number) : text.padStart(widths[column] as number),
    );
  return [head, ...rows].map((row) => `${line(row).join("  ")}\n`).join("");
}
