/**
 * The tasks that operators do with the venue itself most: plan maintenance, let an operator in, make a backup and
 * verify it.
 */
import type { Act, Row } from "../area.ts";
import { duration } from "../duration.ts";
import { timeText } from "../record.tsx";
import type { Subject } from "./task.ts";

const SCOPES: Readonly<Record<string, string>> = {
  SPOT: "Spot markets",
  FUTURES: "Futures markets",
  ALL_SITE: "All markets, and changes of accounts",
};

export const PLAN_MAINTENANCE: Act = {
  word: "Plan a window",
  call: "POST /admin/maintenance",
  effects: (given) => {
    const [from, to] = [msOf(given["started_at"]), msOf(given["ended_at"])];
    const [guardFrom, guardTo] = [msOf(given["protect_duration_start"]), msOf(given["protect_duration_end"])];
    const scopes = ((given["scope"] ?? []) as string[]).map((each) => SCOPES[each] ?? each);
    if (scopes.length === 0 || from === undefined || to === undefined || from >= to) return [];
    const isNow = from <= Date.now() ? ", which is at once," : "";
    return [
      `${scopes.join(" and ")} take no orders, changes or cancels from ` +
        `${timeText(from)}${isNow} to ${timeText(to)}, for ${duration(to - from)}.`,
      ...(guardFrom === undefined || guardTo === undefined || guardFrom >= guardTo
        ? ["Trading goes on at once afterwards: without a protection period nobody can cancel first."]
        : [`From ${timeText(guardFrom)} to ${timeText(guardTo)} only cancels and maker orders are taken.`]),
      "Orders stay in the books. Everybody who trades sees the window from now on.",
    ];
  },
};

const ROLES: Readonly<Record<string, string>> = {
  viewer: "reads everything and changes nothing",
  support: "freezes and frees users, bars them from trading, deletes API keys and writes notes",
  treasurer: "credits, adjusts, reviews withdrawals and consents to what others ask for",
  admin: "does everything, but does not consent to what he asked for himself",
};

export const ADD_OPERATOR: Act = {
  word: "Add an operator",
  call: "POST /admin/operators",
  says: "Shows a code that serves once, for four days. Give it to the new operator, who enrols on the sign-in page.",
  effects: (given) => {
    const role = ROLES[given["role"]];
    if (role === undefined || given["name"] === undefined) return [];
    const limits = ((given["limits"] ?? []) as Row[]).flatMap(({ ccy, amount }) =>
      ccy && amount ? [`${amount} ${ccy}`] : [],
    );
    return [
      `${given["name"]} ${role}.`,
      ...(limits.length === 0
        ? []
        : [`In a day ${given["name"]} moves at most ${limits.join(" and ")}, and nothing of other currencies.`]),
      "You see a code once, and never the token. Who is let in consents to nothing for 24 hours.",
    ];
  },
};

export const MAKE_BACKUP: Act = {
  word: "Create backup",
  call: "POST /admin/backups",
  effects: () => [
    "The whole venue goes into one file in the folder of backups: log, history and settings, as they are now.",
    "The log is verified on the way. Trading goes on meanwhile.",
    "It may take minutes. A backup on the same disk is lost with the disk: copy it elsewhere.",
  ],
};

export const BACKUP: Subject = {
  word: "Backup",
  source: () => ({ path: "/admin/backups" }),
  rows: "backups",
  key: (row) => row["file"],
  says: (row) => `${fileName(row)}, ${timeText(row["made_at"])}`,
  none: "The venue has made no backup of itself: make one first.",
};

export function verifyBackup(row: Row): Act {
  return {
    word: "Verify",
    call: "POST /admin/backup-checks",
    says: `Reads ${fileName(row)} to its end and compares every byte with the hashes in it.`,
    fixed: { file: row["file"] },
    facts: [
      ["Made", timeText(row["made_at"])],
      ["Bytes", String(row["bytes"])],
    ],
    effects: () => [
      "Nothing is changed. Trading goes on meanwhile.",
      "A sound file is no restored venue: restore one on another machine now and then.",
    ],
    answers: (answer) => `${fileName(row)} is sound: ${answer["seq"]} commands up to ${answer["time"]}.`,
  };
}

function fileName(row: Row): string {
  return String(row["file"]).replace(/^.*\//, "");
}

function msOf(time: unknown): number | undefined {
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
