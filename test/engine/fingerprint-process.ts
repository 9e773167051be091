/**
 * Reads lists of stamped commands as JSON and writes what each comes to; run by properties.test.ts as another process.
 */
import { text } from "node:stream/consumers";
import { fingerprint, type Stamped } from "./fingerprint.ts";

const lists = JSON.parse(await text(process.stdin)) as Stamped[][];
process.stdout.write(JSON.stringify(lists.map(fingerprint)));
