/** Loaded before a venue makes it a program that knows the rules up to the last version but one. */
import { readFileSync } from "node:fs";
import { plantFault } from "../support/plant-fault.ts";

const url = new URL("../../src/engine/rules-version.ts", import.meta.url);
const [code, newest] = /export const RULES_VERSION = (\d+);/.exec(readFileSync(url, "utf8")) as unknown as [
  string,
  string,
];
plantFault(url.href, { code, instead: `export const RULES_VERSION = ${Number(newest) - 1};` });
