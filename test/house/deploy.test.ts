/** The examples for running a venue: they name only what there is, and stand the checks of the tools they are for. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Engine } from "../../src/engine/engine.ts";
import { SETTING_ROWS } from "../../src/venue/settings.ts";
import { VenueMetrics } from "../../src/venue/venue-metrics.ts";
import { repositoryRoot } from "./program.ts";

const deploy = join(repositoryRoot, "deploy");
const read = (...path: string[]) => readFileSync(join(deploy, ...path), "utf8");
const isInstalled = (program: string) => spawnSync(program, ["--version"]).error === undefined;

test("alert rules and dashboard name figures that the venue has", (t) => {
  const metrics = new VenueMetrics({
    state: new Engine().state,
    version: "0",
    profile: "dev",
    startedAtMs: 0,
    replayed: 0,
    folder: deploy,
    history: { backlogBytes: 0, committedSeq: 0, status: "writing" },
    rateCounts: () => undefined,
    failedProofs: () => ({ signature: 0, token: 0 }),
  });
  t.after(() => metrics.close());
  const known = new Set(Array.from(metrics.text().matchAll(/^# TYPE (\S+)/gm), ([, name]) => name));
  const dashboard = JSON.parse(read("grafana", "bourse.json"));
  const expressions = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  assert.ok(expressions.length > 10);
  for (const text of [read("prometheus", "alerts.yml"), ...expressions]) {
    for (const [name] of text.matchAll(/\bbourse_[a-z_]+/g)) {
      assert.ok(known.has(name.replace(/_(bucket|count|sum)$/, "")) || known.has(name), name);
    }
  }
});

test("no plain text of the rules holds what YAML takes for a key or a remark", () => {
  const lines = ["alerts.yml", "prometheus.yml"].flatMap((file) => read("prometheus", file).split("\n"));
  const plain = lines.flatMap((line) => /^\s*(?:- )?\w+: ([^"'{[#|>].*)$/.exec(line)?.[1] ?? []);
  assert.ok(plain.length > 100);
  assert.deepEqual(
    plain.filter((text) => /: |:$| #/.test(text)),
    [],
  );
});

test("promtool finds nothing wrong with the rules and the configuration", (t) => {
  if (!isInstalled("promtool")) {
    t.skip("promtool is not installed here; Debian has it in the package prometheus.");
    return;
  }
  const rules = spawnSync("promtool", ["check", "rules", join(deploy, "prometheus", "alerts.yml")], {
    encoding: "utf8",
  });
  assert.equal(rules.status, 0, rules.stdout + rules.stderr);
  const config = ["check", "config", "--syntax-only", join(deploy, "prometheus", "prometheus.yml")];
  const checked = spawnSync("promtool", config, { encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
});

test("the alerts that money hangs on fire when they should, and not before", (t) => {
  if (!isInstalled("promtool")) {
    t.skip("promtool is not installed here; Debian has it in the package prometheus.");
    return;
  }
  const tests = join(repositoryRoot, "test", "house", "alerts.promtool.yml");
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", tests], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});

test("systemd finds nothing wrong with the unit", (t) => {
  if (!isInstalled("systemd-analyze")) {
    t.skip("systemd-analyze is not installed here.");
    return;
  }
  const { stderr } = spawnSync("systemd-analyze", ["verify", join(deploy, "systemd", "bourse.service")], {
    encoding: "utf8",
  });
  // That the program is not installed at its place here is no fault of the unit.
  const faults = stderr
    .split("\n")
    .filter(
      (line) =>
        line.includes("bourse.service") && !/not executable|No such file|Failed to (?:load|create|connect)/.test(line),
    );
  assert.deepEqual(faults, []);
});

test("the unit and the image start the venue with options that there are, and the image copies what there is", () => {
  const options = new Set(SETTING_ROWS.map(({ name }) => `--${name}`));
  const commands = [
    read("systemd", "bourse.service").match(/^ExecStart=(.*)$/m)?.[1],
    read("docker", "Dockerfile").match(/^CMD (.*)$/m)?.[1],
  ];
  for (const command of commands) {
    const given: readonly string[] = command?.match(/--[a-z-]+/g) ?? [];
    assert.ok(given.length >= 2, `${command}`);
    for (const option of given) assert.ok(options.has(option), option);
  }
  for (const [, names] of read("docker", "Dockerfile").matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
    for (const name of (names as string).split(" ")) assert.ok(existsSync(join(repositoryRoot, name)), name);
  }
});

test("every example is named in the guide to installing", () => {
  const document = readFileSync(join(repositoryRoot, "docs", "guides", "install.md"), "utf8");
  for (const folder of readdirSync(deploy)) {
    if (!statSync(join(deploy, folder)).isDirectory()) continue;
    for (const file of readdirSync(join(deploy, folder)))
      assert.ok(document.includes(`deploy/${folder}/${file}`), `${folder}/${file}`);
  }
});
