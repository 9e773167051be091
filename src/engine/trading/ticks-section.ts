import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { TickMark } from "./tick-marks.ts";

/** One chunk: the marks, oldest first. */
export const ticksSection: Section = {
  name: "ticks",
  version: 1,
  write: ({ ticks }) => [jsonChunk(ticks.rows)],
  read: ({ ticks }, [json]) => ticks.load(jsonOf(json) as TickMark[]),
};
