/**
 * The latest lines of the process's log, as operators see them: bounded, filtered, and without what lets somebody in.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { CHARS_MAX, LINES_MAX, LogTail } from "../../src/venue/log-tail.ts";
import { redacted } from "../../src/venue/redaction.ts";
import { openAdminVenue } from "./venue.ts";

/** A logger, what it wrote, and its tail. */
function logger(level: string) {
  const written: string[] = [];
  const tail = new LogTail();
  const log = tail.over(pino({ level, base: null }, { write: (line: string) => written.push(line) }));
  return { log, tail, written };
}

test("lines are kept as they are written, those of a quiet level are not", () => {
  const { log, tail, written } = logger("info");
  log.debug("nobody reads this");
  log.info("ready");
  log.warn({ err: new Error("the disk is slow"), ms: 250 }, "a snapshot could not be written");
  assert.equal(written.length, 2);
  const lines = [...tail.newest()];
  assert.deepEqual(
    lines.map(({ lineId, level, message, details }) => ({ lineId, level, message, details })),
    [
      {
        lineId: 2,
        level: "warn",
        message: "a snapshot could not be written",
        details: '{"err":"Error: the disk is slow","ms":250}',
      },
      { lineId: 1, level: "info", message: "ready", details: "" },
    ],
  );
});

test("lines are bounded in number and in length", () => {
  const { log, tail } = logger("info");
  for (let at = 0; at < LINES_MAX + 10; at++) log.info(`line ${at}`);
  log.error({ text: "x".repeat(100_000) }, "y".repeat(100_000));
  const lines = [...tail.newest()];
  assert.equal(lines.length, LINES_MAX);
  assert.equal(lines[0]?.message.length, CHARS_MAX);
  assert.equal(lines[0]?.details.length, CHARS_MAX);
  assert.equal(lines.at(-1)?.message, "line 11");
});

test("details that JSON cannot hold end nothing", () => {
  const { log, tail } = logger("info");
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  log.info(circle, "a circle");
  log.info({ amount: 12n }, "a big number");
  assert.deepEqual(
    [...tail.newest()].map(({ details }) => details),
    ['{"amount":"12"}', "These details cannot be written as JSON."],
  );
});

const SECRETS: readonly (readonly [text: string, shown: string])[] = [
  ["postgres://venue:hunter2@db:5432/history is away", "postgres://venue:[hidden]@db:5432/history is away"],
  ["authorization: Bearer abc.def-123 was refused", "authorization: Bearer [hidden] was refused"],
  ["GET /x?token=abc123&page=2", "GET /x?token=[hidden]&page=2"],
  ['{"secret_key":"A366E01F","market":"BTCUSDT"}', '{"secret_key":"[hidden]","market":"BTCUSDT"}'],
  ["https://trade.example.com/#sign-up=eyJ0.xyz", "https://trade.example.com/#sign-up=[hidden]"],
  ["the admin token is in this folder", "the admin token is in this folder"],
];

test("what lets somebody in is hidden, in texts and by the names of fields", () => {
  for (const [text, shown] of SECRETS) assert.equal(redacted(text), shown);
  const { log, tail } = logger("info");
  log.info({ token: "abc", nested: { secretKey: "def", market: "BTCUSDT" } }, "told");
  assert.equal(
    [...tail.newest()][0]?.details,
    '{"token":"[hidden]","nested":{"secretKey":"[hidden]","market":"BTCUSDT"}}',
  );
});

test("operators filter the lines by level and text, a page at a time", async (t) => {
  const { log, tail } = logger("info");
  log.info("ready");
  log.warn({ market: "BTCUSDT" }, "an index is silent");
  log.error("a snapshot could not be written");
  const venue = await openAdminVenue(t, { log: tail });
  const messages = async (query: string) =>
    ((await venue.get(`/admin/log-lines?${query}`)).data.lines as { message: string }[]).map(({ message }) => message);
  assert.deepEqual(await messages(""), ["a snapshot could not be written", "an index is silent", "ready"]);
  assert.deepEqual(await messages("level=warn"), ["a snapshot could not be written", "an index is silent"]);
  assert.deepEqual(await messages("text=btcusdt"), ["an index is silent"]);
  assert.deepEqual(await messages("limit=1&page=2"), ["an index is silent"]);
});
