/**
 * A reporter of Node's test runner that writes one line of JSON for each test that ended: what runner.ts reads of a
 * lane.
 */
import { inspect } from "node:util";

/** One test that ended. `nesting` 0 is a file, whose name is its path. */
export interface TestLine {
  readonly name: string;
  readonly nesting: number;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly isSuite: boolean;
  readonly ms: number;
  /** Of a failed test, unless it failed by what is in it alone. */
  readonly error?: string;
}

interface Ended {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details: {
      readonly duration_ms: number;
      readonly type?: string;
      readonly error?: Error & { readonly failureType?: string };
    };
  };
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter by its default export.
export default async function* lines(events: AsyncIterable<Ended>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, details } = data;
    const { error } = details;
    const isOwn = error !== undefined && error.failureType !== "subtestsFailed";
    const failed = type === "test:fail" && data.todo === undefined;
    const line: TestLine = {
      ...{ name, nesting, isSuite: details.type === "suite", ms: details.duration_ms },
      outcome: failed ? "failed" : data.skip === undefined ? "passed" : "skipped",
      ...(failed && isOwn ? { error: inspect(error.cause ?? error, { depth: 6, colors: false }) } : {}),
    };
    yield `${JSON.stringify(line)}\n`;
  }
}
