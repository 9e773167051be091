/** Every code block of README and docs does what it says when it is pasted: all of them, on one venue. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { repositoryRoot } from "../house/program.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { blocksOf, blocksOfDocuments, type Program, programsOf } from "./code-blocks.ts";

/** As many blocks cannot be run here; each says why. */
const NOT_RUN_MAX = 16;
const EXTENSIONS = { js: "mjs", ts: "ts", python: "py", sh: "sh" } as const;

const blocks = blocksOfDocuments();
const folder = mkdtempSync(join(tmpdir(), "bourse-blocks-"));
const data = join(folder, "data");
let venue: VenueProcess;

before(async () => {
  // The pages speak of times at the beginning of 2026, and of a venue that lives.
  venue = await VenueProcess.start(data, "--start-time", "2025-12-31T12:00:00Z");
  await venue.admin("/admin/clock", { advance_ms: 600_000 });
  layOut();
});
after(async () => {
  await venue?.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

test("few blocks are not run, and each says why", () => {
  const notRun = blocks.filter((block) => block.notRun !== undefined);
  for (const { place, notRun: why = "" } of notRun) assert.ok(why.length > 10, `${place} says no reason`);
  assert.ok(notRun.length <= NOT_RUN_MAX, `${notRun.length} blocks: ${notRun.map(({ place }) => place).join(", ")}`);
  assert.ok(programsOf(blocks).length >= 15);
});

test("comments above a block are read, and a language that nobody runs is found", () => {
  const text = "x\n<!-- before: a -->\n<!-- goes on -->\n```js\nb\n```\n```js\nc\n```\n```json\n{}\n```\n";
  const [first, second, ...more] = blocksOf("p.md", text);
  assert.deepEqual([first?.before, first?.goesOn, first?.code, first?.place], ["a", true, "b\n", "p.md:4"]);
  assert.deepEqual([second?.before, second?.goesOn, more.length], ["", false, 0]);
  assert.throws(() => blocksOf("p.md", "```ruby\n1\n```\n"), /p\.md:1 is of the language ruby/);
});

describe("the block", { concurrency: false }, () => {
  for (const program of programsOf(blocks)) {
    test(`at ${program.place}`, () => runsAsPasted(program));
  }
});

/** A folder as a reader has it: the program, its packages and its scenarios, and the data of a venue that runs. */
function layOut(): void {
  for (const name of ["node_modules", "scenarios", "package.json", "src", "client", "examples"]) {
    symlinkSync(join(repositoryRoot, name), join(folder, name));
  }
  mkdirSync(join(folder, "bin"));
  const main = join(repositoryRoot, "src", "cli", "main.ts");
  // The data of a checkout lie beside the program; here they lie in this folder. A venue that a page starts is over
  // when it is ready, unless the page goes on with it.
  const script = `#!/bin/bash
has() { for each in "\${words[@]}"; do [ "$each" = "$1" ] && return 0; done; return 1; }
words=("$@")
if [ "$1" = start ] && [ -z "$BOURSE_STAYS" ]; then
  has --port || words+=(--port 0)
  has --past || words+=(--past 0)
  coproc venue { exec "${process.execPath}" "${main}" "\${words[@]}"; }
  pid=$venue_PID
  read -r line <&"\${venue[0]}" || exit 1
  echo "$line"
  kill -TERM $pid
  wait $pid
  exit $?
fi
case "$1 $2" in
  "scenario run"|conform*|verify*|restore*|*help*) ;;
  *) has --data || has --admin || words+=(--data "${data}") ;;
esac
exec "${process.execPath}" "${main}" "\${words[@]}"
`;
  writeFileSync(join(folder, "bin", "bourse"), script, { mode: 0o755 });
  for (const place of ["safe", "srv"]) mkdirSync(join(folder, place));
}

async function runsAsPasted({ language, code, place, prints }: Program): Promise<void> {
  // What another page has made under the same name would be in the way.
  rmSync(join(folder, "what-if"), { recursive: true, force: true });
  const { url } = venue;
  const here = code
    .replaceAll("http://127.0.0.1:7400", url)
    .replaceAll("ws://127.0.0.1:7400", url.replace(/^http/, "ws"))
    .replaceAll("/mnt/safe", join(folder, "safe"))
    .replaceAll("/srv", join(folder, "srv"))
    .replaceAll("/var/lib/bourse", data);
  const file = join(folder, `block-${place.replaceAll(/\W/g, "-")}.${EXTENSIONS[language]}`);
  writeFileSync(file, here);
  const command: Record<Program["language"], [string, ...string[]]> = {
    sh: ["bash", "-e", "-o", "pipefail", file],
    js: [process.execPath, "--conditions=bourse-checkout", file],
    ts: [process.execPath, "--conditions=bourse-checkout", file],
    python: ["python3", file],
  };
  const [program, ...args] = command[language];
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` };
  // A runner within a runner would report to the outer one in its own way.
  delete env["NODE_TEST_CONTEXT"];
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (printed += piece));
  const [exitCode] = (await once(child, "close")) as [number];
  if (prints !== undefined) {
    assert.ok(exitCode !== 0 && printed.includes(prints), printed);
    return;
  }
  assert.equal(exitCode, 0, printed);
  const refused = [...printed.matchAll(/^\{"code":(\d+),.*$/gm)].filter(([, refusal]) => refusal !== "0");
  assert.deepEqual(
    refused.map(([line]) => line),
    [],
    "nothing that a page asks for is refused",
  );
}
