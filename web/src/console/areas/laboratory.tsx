/** Pages that only a dev venue has: time in one's hand, chains that one mines, faults. */
import { grouped, percent } from "../../number/show.ts";
import type { Area, Row } from "../area.ts";
import { number, tag, text, time } from "../columns.tsx";
import { duration } from "../duration.ts";
import { ScenarioRun } from "../scenario-run.tsx";
import { session } from "../session.ts";
import { VirtualClock } from "../virtual-clock.tsx";

const clock: Area = {
  id: "clock",
  name: "Clock",
  group: "Laboratory",
  isDevOnly: true,
  says: "The venue's time, when it was started with a virtual clock: frozen, moved and sped up.",
  body: VirtualClock,
};

const simulated: Area = {
  id: "simulated-chains",
  name: "Simulated chains",
  group: "Laboratory",
  isDevOnly: true,
  says: "Chains that exist only here: pay as somebody outside, add blocks, let them be replaced by others.",
  lists: [
    {
      id: "chains",
      name: "Chains",
      path: "/admin/chains",
      rows: "chains",
      key: (row) => row["chain"],
      title: (row) => row["chain"],
      one: (row) => `/admin/chains/${row["chain"]}/transactions?limit=20`,
      empty: "No chain is simulated.",
      beatMs: 5_000,
      columns: [
        { name: "Chain", cell: (row) => <b>{row["chain"]}</b> },
        text("Kind", "kind"),
        number("Height", "height"),
      ],
      acts: (row) => {
        const fixed = { chain: row["chain"] };
        return [
          { word: "Pay", call: "POST /admin/chains/CHAIN/transactions", fixed },
          { word: "Add blocks", call: "POST /admin/chains/CHAIN/blocks", fixed, initial: { count: "1" } },
          { word: "Replace blocks", call: "POST /admin/chains/CHAIN/reorganise", fixed, isDangerous: true },
        ];
      },
    },
  ],
};

const snapshots: Area = {
  id: "snapshots",
  name: "Snapshots",
  group: "Laboratory",
  isDevOnly: true,
  says: "States to go back to: books, balances, clock and keys as they were, as if nothing had happened since.",
  acts: [
    { word: "Take a snapshot", call: "POST /admin/snapshots" },
    {
      word: "Reset to the first start",
      call: "POST /admin/reset",
      says: "The venue is what it was right after its first start. Whatever has happened since never did.",
      isDangerous: true,
    },
  ],
  lists: [
    {
      id: "snapshots",
      name: "Snapshots",
      path: "/admin/snapshots",
      rows: "snapshots",
      key: (row) => String(row["snapshot_id"]),
      title: (row) => `Snapshot ${row["snapshot_id"]}`,
      empty: "No snapshot was taken.",
      columns: [
        text("No", "snapshot_id"),
        text("Name", "name"),
        number("After command", "seq"),
        time("Venue's time", "time_ms"),
        text("State hash", "state_hash", { isMinor: true }),
      ],
      acts: (row) => {
        const fixed = { snapshot_id: row["snapshot_id"] };
        return [
          { word: "Revert to snapshot", call: "POST /admin/snapshots/SNAPSHOT_ID/revert", fixed, isDangerous: true },
          { word: "Delete snapshot", call: "DELETE /admin/snapshots/SNAPSHOT_ID", fixed },
        ];
      },
    },
  ],
};

/** Returns what the file says, how long it takes here, and what it does to the simulated market. */
function aboutPlaying(row: Row): string {
  const time = `It takes ${duration(row["longest_seconds"] * 1_000)} of the venue's time at most`;
  const how =
    session()?.clock == null ? ", as long as that by the clock on the wall" : ", through which the clock is moved";
  const market = `In ${row["markets"].join(", ")} the simulated market pauses meanwhile.`;
  return `${row["about"]} ${time}${how}. ${market}`;
}

const scenarios: Area = {
  id: "scenarios",
  name: "Scenarios",
  group: "Laboratory",
  isDevOnly: true,
  says:
    "Hard times, played on this venue against somebody who trades " +
    "there: a program, or you at the terminal. One at a time.",
  body: ScenarioRun,
  lists: [
    {
      id: "files",
      name: "To be played",
      path: "/admin/scenarios",
      rows: "scenarios",
      key: (row) => row["scenario"],
      title: (row) => row["title"],
      empty: "The program came without scenarios for living venues.",
      columns: [
        { name: "Scenario", cell: (row) => <b>{row["title"]}</b> },
        text("Looks at", "bot"),
        text("Markets", "markets"),
        number("Steps", "steps", { isMinor: true }),
        { name: "At most", cell: (row) => duration(row["longest_seconds"] * 1_000) },
      ],
      acts: (row) =>
        row["trouble"] === ""
          ? [
              {
                word: "Run scenario",
                call: "POST /admin/scenario-runs",
                says: aboutPlaying(row),
                fixed: { scenario: row["scenario"] },
              },
            ]
          : [],
    },
    {
      id: "runs",
      name: "Played",
      path: "/admin/scenario-runs",
      rows: "scenario_runs",
      isPaged: true,
      beatMs: 5_000,
      key: (row) => String(row["run_id"]),
      title: (row) => `Run ${row["run_id"]}: ${row["title"]}`,
      one: (row) => `/admin/scenario-runs/${row["run_id"]}`,
      empty: "Nothing was played since the venue's start.",
      columns: [
        text("Run", "run_id"),
        { name: "Scenario", cell: (row) => <b>{row["title"]}</b> },
        tag("Verdict", "status", { passed: "up", missed: "down", failed: "down", playing: "warning" }),
        text("By", "actor"),
        time("Begun", "started_at"),
      ],
    },
  ],
};

const faults: Area = {
  id: "faults",
  name: "Faults",
  group: "Laboratory",
  isDevOnly: true,
  says: "Faults that are injected to test the venue and the programs that trade on it.",
  acts: [
    { word: "Inject a fault", call: "POST /admin/faults", isDangerous: true },
    { word: "End all faults", call: "DELETE /admin/faults" },
  ],
  lists: [
    {
      id: "faults",
      name: "Faults",
      path: "/admin/faults",
      rows: "faults",
      key: (row) => String(row["fault_id"]),
      title: (row) => `Fault ${row["fault_id"]}: ${row["fault"].replaceAll("_", " ")}`,
      empty: "No fault is injected.",
      beatMs: 3_000,
      columns: [
        text("No", "fault_id"),
        { name: "Fault", cell: (row) => <b>{row["fault"].replaceAll("_", " ")}</b> },
        { name: "Requests", cell: (row) => row["match"] ?? "all" },
        { name: "Share", cell: (row) => (row["share"] == null ? "all" : percent(`${row["share"]}`, 1)) },
        { name: "Delay", cell: (row) => (row["ms"] == null ? "–" : `${grouped(`${row["ms"]}`)} ms`) },
        number("Injected", "struck"),
      ],
      acts: (row) => [
        { word: "End fault", call: "DELETE /admin/faults/FAULT_ID", fixed: { fault_id: row["fault_id"] } },
      ],
    },
  ],
};

export const LABORATORY_AREAS: readonly Area[] = [clock, scenarios, snapshots, simulated, faults];
