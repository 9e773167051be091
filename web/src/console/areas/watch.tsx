/** Pages that an operator watches: alerts, refused requests, and what a search has found. */
import type { Area, Row } from "../area.ts";
import { brief, text, time, user } from "../columns.tsx";
import { SearchPage } from "../search.tsx";

const alerts: Area = {
  id: "alerts",
  name: "Alerts",
  group: "Venue",
  says:
    "What somebody should look at. An alert ends by itself; " +
    "acknowledging it tells the others that you look after it.",
  lists: [
    {
      id: "alerts",
      name: "Alerts",
      path: "/admin/alerts",
      rows: "alerts",
      isPaged: true,
      beatMs: 10_000,
      key: (row) => String(row["alert_id"]),
      title: (row) => `Alert ${row["alert_id"]}`,
      filters: [{ name: "firing", word: "Firing", choices: ["true"] }],
      empty: "Nothing is wrong, and nothing was lately.",
      columns: [
        {
          name: "Status",
          cell: (row) => (
            <span class={`state ${toneOf(row)}`}>{row["ended_at"] === null ? row["severity"] : "ended"}</span>
          ),
        },
        { name: "What", isText: true, cell: (row) => row["summary"] },
        text("Acknowledged by", "acknowledged_by", { isMinor: true }),
        time("Since", "began_at"),
        time("Ended", "ended_at", { isMinor: true }),
      ],
      acts: (row) =>
        row["ended_at"] !== null
          ? []
          : [
              {
                word: "Acknowledge",
                call: "POST /admin/alerts/ALERT_ID/acknowledge",
                fixed: { alert_id: row["alert_id"] },
              },
            ],
    },
  ],
};

function toneOf(row: Row): string {
  if (row["ended_at"] !== null) return "plain";
  return row["severity"] === "page" ? "down" : "warning";
}

const refusals: Area = {
  id: "refusals",
  name: "Refused requests",
  group: "Venue",
  says: "The latest requests that were refused, each with its reason. A row opens all that it was decided by.",
  lists: [
    {
      id: "refusals",
      name: "Refused requests",
      path: "/admin/refusals",
      rows: "refusals",
      isPaged: true,
      key: (row) => String(row["request_id"]),
      title: (row) => `Request ${row["request_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "code", word: "Code" },
      ],
      empty: "No request was refused, or none that fits.",
      columns: [
        time("Time", "time"),
        user(),
        text("Code", "code"),
        { name: "Why", isText: true, cell: (row) => row["because"] },
        { name: "Request", isMinor: true, cell: (row) => <code>{`${row["method"]} ${row["path"]}`}</code> },
      ],
    },
  ],
};

const search: Area = {
  id: "search",
  name: "Search",
  group: "Venue",
  says: "Users, orders, deals, payments and requests, by whatever identifies them.",
  isHidden: true,
  body: SearchPage,
};

const logLines: Area = {
  id: "log-lines",
  name: "Log lines",
  group: "Venue",
  says: "What the process of the venue wrote to its log lately, the newest first. Secrets are hidden, long lines cut.",
  lists: [
    {
      id: "log-lines",
      name: "Log lines",
      path: "/admin/log-lines",
      rows: "lines",
      isPaged: true,
      beatMs: 5_000,
      key: (row) => String(row["line_id"]),
      title: (row) => `Line ${row["line_id"]}`,
      filters: [
        { name: "level", word: "Level from", choices: ["info", "warn", "error", "fatal"] },
        { name: "text", word: "Text" },
      ],
      empty: "The process has written nothing that fits.",
      columns: [
        time("Time", "time"),
        {
          name: "Level",
          cell: (row) => <span class={`state ${LEVEL_TONES[row["level"]] ?? "plain"}`}>{row["level"]}</span>,
        },
        { name: "Message", isText: true, cell: (row) => row["message"] },
        brief("Details", (row) => String(row["details"] ?? "")),
      ],
    },
  ],
};

const LEVEL_TONES: Readonly<Record<string, string>> = { warn: "warning", error: "down", fatal: "down" };

export const WATCH_AREAS: readonly Area[] = [alerts, refusals, logLines, search];
