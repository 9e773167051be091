/** The report of a run, for people and for programs. */
import type { Call } from "./call.ts";
import type { Kit } from "./kit.ts";
import { FAULTS, type Mishandled } from "./rules.ts";

export interface Report {
  readonly seconds: number;
  readonly program: { readonly command: string; readonly exit_code: number | null; readonly ended_by_itself: boolean };
  /** The endpoints that were called, most often first. */
  readonly endpoints: readonly { readonly endpoint: string; readonly calls: number; readonly refused: number }[];
  readonly channels: readonly {
    readonly socket: string;
    readonly channel: string;
    readonly items: readonly string[];
    readonly pushes: number;
  }[];
  readonly errors: readonly { readonly code: number; readonly message: string; readonly times: number }[];
  /** Groups whose quota ended. */
  readonly limits: readonly { readonly group: string; readonly calls: number; readonly refused: number }[];
  readonly faults: readonly { readonly fault: string; readonly what: string; readonly times: number }[];
  /** Faults that fitted nothing that the program did, or for which it did not live long enough. */
  readonly faults_not_met: readonly string[];
  readonly mishandled: readonly Mishandled[];
}

const TOO_OFTEN = 4213;

export function reportOf(kit: Kit, seconds: number, program: Report["program"]): Report {
  const faults = (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).filter((fault) => kit.findings.timesMet(fault) > 0);
  return {
    seconds: Math.round(seconds * 10) / 10,
    program,
    endpoints: [...groupBy(kit.calls, ({ endpoint, passing }) => endpoint ?? `${passing.method} ${passing.path}`)]
      .map(([endpoint, calls]) => ({ endpoint, calls: calls.length, refused: calls.filter(isRefused).length }))
      .sort((one, other) => other.calls - one.calls),
    channels: channelsOf(kit),
    errors: [...groupBy(kit.calls.filter(isRefused), ({ code }) => String(code))].map(([code, calls]) => ({
      code: Number(code),
      message: calls[0]?.message ?? "",
      times: calls.length,
    })),
    limits: [
      ...groupBy(
        kit.calls.filter(({ group }) => group !== undefined),
        ({ group = "" }) => group,
      ),
    ]
      .map(([group, calls]) => ({
        group,
        calls: calls.length,
        refused: calls.filter(({ code }) => code === TOO_OFTEN).length,
      }))
      .filter(({ refused }) => refused > 0),
    faults: faults.map((fault) => ({ fault, what: FAULTS[fault], times: kit.findings.timesMet(fault) })),
    faults_not_met: kit.notMet,
    mishandled: kit.findings.mishandled,
  };
}

export function reportText({
  seconds,
  program,
  endpoints,
  channels,
  errors,
  faults,
  faults_not_met,
  mishandled,
}: Report): string {
  const ended = program.ended_by_itself ? `ended with ${program.exit_code}` : "was ended";
  const lines = [
    `${program.command}: ran ${seconds} s and ${ended}.`,
    ...section(
      "Called",
      endpoints.map(
        ({ endpoint, calls, refused }) => `${endpoint}  ${calls}${refused > 0 ? `, ${refused} refused` : ""}`,
      ),
    ),
    ...section(
      "Followed",
      channels.map(
        ({ socket, channel, items, pushes }) => `${socket} ${channel} of ${items.join(", ")}  ${pushes} pushes`,
      ),
    ),
    ...section(
      "Refusals",
      errors.map(({ code, message, times }) => `${code} ${message}  ${times}`),
    ),
    ...section(
      "Faults met",
      faults.map(({ fault, what, times }) => `${fault}: ${what}${times > 1 ? `, ${times} times` : ""}`),
    ),
    ...section("Faults not met", faults_not_met),
    "",
    mishandled.length === 0 ? "Nothing was mishandled." : `Mishandled: ${mishandled.length}`,
    ...mishandled.flatMap(({ rule, sentence, evidence }) => [
      `  ${rule}: ${sentence}`,
      ...evidence.map((line) => `      ${line}`),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function isRefused({ code = 0 }: Call): boolean {
  return code !== 0;
}

function channelsOf({ sockets: { lines, pushes } }: Kit): Report["channels"] {
  const items = new Map<string, Set<string>>();
  for (const { pair, ever } of lines) {
    for (const [channel, names] of ever) {
      const name = `${pair.product} ${channel}`;
      items.set(name, new Set([...(items.get(name) ?? []), ...names]));
    }
  }
  return [...items].map(([name, names]) => {
    const [socket = "", channel = ""] = name.split(" ");
    const all = [...names].map((item) => (item === "*" ? "all" : item));
    return { socket, channel, items: all, pushes: pushes.get(name) ?? 0 };
  });
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
