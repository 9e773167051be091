import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "../../src/engine/engine.ts";
import type { AdminCall } from "../../src/gateway/admin/call.ts";
import type { Field } from "../../src/gateway/admin/field.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { SETTING_ROWS } from "../../src/venue/settings.ts";
import { VenueMetrics } from "../../src/venue/venue-metrics.ts";

/** The rows of the first table below a heading of a page in docs/reference. */
function tableBelow(page: string, heading: string): string[] {
  const document = readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), "utf8");
  const below = document.split(new RegExp(`^${heading}\n`, "m"))[1] ?? "";
  const lines = below.split("\n");
  const begin = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith("|"));
  return lines.slice(begin + 2, end);
}

/** A bar inside a cell would end it. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

test("the settings in docs/reference/settings.md are those that there are, with their defaults", () => {
  const rows = SETTING_ROWS.map(
    ({ name, values, dev, production, meaning }) =>
      `| \`${name}\` | ${cell(values)} | ${dev} | ${production} | ${cell(meaning)} |`,
  );
  assert.deepEqual(tableBelow("settings.md", "# Settings"), rows);
});

/** Of a list of objects also what they hold. */
function fieldText(name: string, { required, meaning, form }: Field<unknown>): string {
  const objects = form.shape === "records" ? `, ${/\{.*\}/.exec(form.expected)?.[0]}` : "";
  return `\`${name}${required ? "" : "?"}\` ${cell(meaning)}${objects}`;
}

function callRow({ method, path, verbs, fields }: AdminCall): string {
  const texts = Object.entries(fields).map(([name, field]) => fieldText(name, field));
  const commands = Object.keys(verbs).map((verb) => `\`bourse ${verb}\``);
  return `| ${method} ${path} | ${commands.join(", ")} | ${texts.join("<br>")} |`;
}

test("the calls in docs/reference/admin.md are those that are served, with their fields and verbs", () => {
  assert.deepEqual(tableBelow("admin.md", "## Calls").sort(), ADMIN_CALLS.map(callRow).sort());
});

test("the figures in docs/reference/metrics.md are those that a venue counts", (t) => {
  const { state } = new Engine();
  const metrics = new VenueMetrics({
    state,
    version: "0",
    profile: "dev",
    startedAtMs: 1_750_000_000_500,
    replayed: 3,
    folder: import.meta.dirname,
    history: { backlogBytes: 0, committedSeq: 0, status: "writing" },
    rateCounts: () => undefined,
    failedProofs: () => ({ signature: 0, token: 0 }),
  });
  t.after(() => metrics.close());
  const rows = [...metrics.text().matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name, help, type]) => `| \`${name}\` | ${type} | ${help} |`,
  );
  assert.deepEqual(tableBelow("metrics.md", "# Metrics"), rows);
});
