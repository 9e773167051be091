/** The venue itself: how it stands, who runs it, what was done to it. */
import { grouped } from "../../number/show.ts";
import { AllCalls } from "../all-calls.tsx";
import type { Area, Row } from "../area.ts";
import { brief, number, tag, text, time } from "../columns.tsx";
import { Explain } from "../explain.tsx";
import { Overview } from "../overview.tsx";
import { isTimeName, recordIn, timeText } from "../record.tsx";
import { TaskPage } from "../tasks/task-page.tsx";
import { ADD_OPERATOR, MAKE_BACKUP, PLAN_MAINTENANCE, verifyBackup } from "../tasks/venue-tasks.ts";
import { valueWords, wordsOf } from "../words.ts";

const overview: Area = {
  id: "overview",
  name: "Overview",
  group: "Venue",
  says: "How the venue stands, and whether what it holds is accounted for.",
  body: Overview,
};

const maintenance: Area = {
  id: "maintenance",
  name: "Maintenance",
  group: "Venue",
  says: "Windows in which orders wait, planned or running. Everybody who trades sees them.",
  acts: [PLAN_MAINTENANCE],
  lists: [
    {
      id: "windows",
      name: "Windows",
      path: "/admin/maintenance",
      rows: "maintenance",
      key: (row) => String(row["maintenance_id"]),
      title: (row) => `Window ${row["maintenance_id"]}`,
      empty: "No window is planned.",
      columns: [
        text("No", "maintenance_id"),
        text("Scope", "scope"),
        time("Begins", "started_at"),
        time("Ends", "ended_at"),
        time("Protection until", "protect_duration_end", { isMinor: true }),
      ],
      acts: (row) => [
        {
          word: "Cancel the window",
          call: "DELETE /admin/maintenance/MAINTENANCE_ID",
          fixed: { maintenance_id: row["maintenance_id"] },
          isDangerous: true,
        },
      ],
    },
  ],
};

const trail: Area = {
  id: "audit-trail",
  name: "Audit trail",
  group: "Venue",
  says: "What operators did and tried, with what came of it: who, when, what. The newest first.",
  lists: [
    {
      id: "actions",
      name: "Actions",
      path: "/admin/audit-trail",
      rows: "audit_trail",
      isPaged: true,
      key: (row) => String(row["seq"]),
      title: (row) => `${row["action"].replaceAll("_", " ")}, command ${row["seq"]}`,
      empty: "Nothing was done, or nothing that fits.",
      filters: [
        { name: "actor", word: "Operator" },
        { name: "action", word: "Kind of command" },
        { name: "user_id", word: "User" },
        { name: "from", word: "From", isTime: true },
        { name: "to", word: "To", isTime: true },
      ],
      columns: [
        text("Command", "seq"),
        time("Time", "time"),
        text("Who", "actor"),
        { name: "What", cell: (row) => row["action"].replaceAll("_", " ") },
        brief("How", (row) => onOneLine(row["details"])),
        tag("Result", "outcome", { accepted: "up", repeated: "plain" }),
      ],
    },
  ],
};

/** The fields of a command on one line. */
function onOneLine(details: Row): string {
  return Object.entries(details)
    .filter(([, value]) => value !== "" && value !== null)
    .map(([name, value]) => {
      const inner = recordIn(value);
      return inner === undefined ? `${wordsOf(name)} ${plain(name, value)}` : onOneLine(inner);
    })
    .join(", ");
}

function plain(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isTimeName(name, value)) return timeText(value);
  if (Array.isArray(value)) return value.map((each) => plain(name, each)).join(" and ");
  if (typeof value === "object") return `(${onOneLine(value as Row)})`;
  return valueWords(name, String(value));
}

const operators: Area = {
  id: "operators",
  name: "Operators",
  group: "Venue",
  says: "Who runs the venue. Root's token is a file of the data directory; every other operator has one of his own.",
  acts: [
    ADD_OPERATOR,
    {
      word: "Change approval amounts",
      call: "POST /admin/four-eyes",
      says: "Replaces all amounts above which money moves only with the consent of a second operator.",
    },
    {
      word: "Replace my token",
      call: "POST /admin/operator-tokens",
      says: "Gives you another token. The old one ends at once, and with it your sessions.",
      ask: [],
      isDangerous: true,
    },
  ],
  lists: [
    {
      id: "operators",
      name: "Operators",
      path: "/admin/operators",
      rows: "operators",
      key: (row) => row["name"],
      title: (row) => `Operator ${row["name"]}`,
      empty: "There is nobody but root.",
      columns: [
        text("Name", "name"),
        text("Role", "role"),
        {
          name: "Limits a day",
          cell: (row) =>
            ((row["limits"] ?? []) as Row[]).map(({ ccy, amount }) => `${grouped(amount)} ${ccy}`).join(", ") || (
              <span class="quiet">none</span>
            ),
        },
        { name: "Enrolled", cell: (row) => (row["enrolled"] === true ? "yes" : <span class="quiet">not yet</span>) },
        { name: "Consents", cell: (row) => (row["may_consent"] === true ? "yes" : <span class="quiet">no</span>) },
        time("Since", "created_at"),
      ],
      acts: (row) =>
        row["name"] === "root"
          ? []
          : [
              {
                word: "Change role or limits",
                call: "POST /admin/operators/NAME",
                fixed: { name: row["name"] },
                ...{ now: row, isChange: true },
              },
              ...(row["limits"] === null
                ? []
                : [
                    {
                      word: "Lift the limits",
                      call: "POST /admin/operators/NAME",
                      says: `${row["name"]} may move as much as the role and the bounds of the venue allow.`,
                      fixed: { name: row["name"], limits: [] },
                      ask: [],
                    },
                  ]),
              {
                word: "Reset the operator",
                call: "POST /admin/operators/NAME/reset",
                says:
                  "Ends the token at once. The operator enrols again with the " +
                  "code that is shown, and consents to nothing for 24 hours.",
                fixed: { name: row["name"] },
                isDangerous: true,
              },
              {
                word: "Delete the operator",
                call: "DELETE /admin/operators/NAME",
                fixed: { name: row["name"] },
                isDangerous: true,
              },
            ],
    },
  ],
};

const backups: Area = {
  id: "backups",
  name: "Backups",
  group: "Venue",
  says: "Copies of the whole venue, made while it runs and checked on the way. Restoring one is for the command line.",
  acts: [MAKE_BACKUP],
  lists: [
    {
      id: "backups",
      name: "Backups",
      path: "/admin/backups",
      rows: "backups",
      key: (row) => row["file"],
      title: () => "Backup",
      empty: "The venue has made no backup of itself.",
      columns: [text("File", "file"), number("Bytes", "bytes"), time("Made", "made_at")],
      acts: (row) => [verifyBackup(row)],
    },
  ],
};

const explain: Area = {
  id: "explain",
  name: "Explain",
  group: "Venue",
  says:
    "Why an order was not filled, or at this price; why a position " +
    "was liquidated; why a request was refused: with figures and rules.",
  body: Explain,
};

const everything: Area = {
  id: "calls",
  name: "All actions",
  group: "Venue",
  says: "Every call of the operators' interface that you may make, by its words on the command line.",
  body: AllCalls,
};

const tasks: Area = {
  id: "tasks",
  name: "Tasks",
  group: "Venue",
  says: "What operators do most: each form says what will happen before it is sent, and who else must consent.",
  body: TaskPage,
};

export const VENUE_AREAS: readonly Area[] = [
  overview,
  tasks,
  maintenance,
  trail,
  explain,
  operators,
  backups,
  everything,
];
