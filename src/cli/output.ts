/** How answers are printed: as JSON for programs, else as lines for people. */

export function print(data: object, asJson: boolean | undefined): void {
  process.stdout.write(asJson === true ? `${JSON.stringify(data)}\n` : lines(data));
}

/** One line for each field; what is no plain value stays JSON. */
export function lines(data: object): string {
  const rows = Object.entries(data);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${valueText(value)}\n`).join("");
}

function valueText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
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
