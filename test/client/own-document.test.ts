/** The examples of docs/guides/client.md do what they say, one behind the other, on a venue as `npm start` makes it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";

const CLIENT = new URL("../../client/index.ts", import.meta.url).href;
const DOCUMENT = new URL("../../docs/guides/client.md", import.meta.url);

/** The program that the examples make, against a venue. */
function programOf(url: string): string {
  const blocks = Array.from(
    readFileSync(DOCUMENT, "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm),
    ([, code = ""]) => code,
  );
  assert.ok(blocks.length >= 4);
  const text = blocks
    .join("")
    .replaceAll('"bourse/client"', JSON.stringify(CLIENT))
    .replaceAll("http://127.0.0.1:7400", url);
  return text.replace("client.close();", 'console.log(placed.ok ? "placed" : placed.message);\nclient.close();');
}

test("the examples of the document run", async () => {
  const venue = await VenueProcess.start(":memory:");
  const folder = mkdtempSync(join(tmpdir(), "bourse-client-"));
  try {
    const file = join(folder, "example.ts");
    writeFileSync(file, programOf(venue.url));
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
    const [code] = await once(child, "exit");
    assert.equal(code, 0, said);
    for (const line of [
      /^BTCUSDT \d/m,
      /^ETHUSDT \d/m,
      /^deals: followed$/m,
      /^best bid \[/m,
      /^4 resting orders$/m,
      /^placed$/m,
    ]) {
      assert.match(said, line);
    }
    assert.doesNotMatch(said, /refused/);
  } finally {
    rmSync(folder, { recursive: true });
    await venue.end("SIGKILL");
  }
});
