/** Reads lists of stamped commands as JSON and writes what each comes to; run by properties.test.ts as another process. */
import { readFileSync } from "node:fs";
import { fingerprint, type Stamped } from "./fingerprint.ts";

const lists = JSON.parse(readFileSync(0, "utf8")) as Stamped[][];
process.stdout.write(JSON.stringify(lists.map(fingerprint)));
