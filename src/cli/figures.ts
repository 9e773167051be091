/** One line of the text form of Prometheus. */
export interface Figure {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The figures that a venue gives as text, as records. */
export function figuresOf(text: string): { readonly figures: readonly Figure[] } {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return {
    figures: lines.map((line) => {
      const [, name = "", labels = "", value = ""] = /^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/s.exec(line) ?? [];
      return { name, labels: labelsOf(labels), value: Number(value) };
    }),
  };
}

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name as string, unescaped(value as string)]));
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
}
