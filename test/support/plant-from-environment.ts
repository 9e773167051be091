/** For `node --import`: plants the fault that BOURSE_PLANT describes into this process, and says so. */
import { writeSync } from "node:fs";
import { plantFault } from "./plant-fault.ts";

const { url, code, instead } = JSON.parse(process.env["BOURSE_PLANT"] ?? "{}") as Record<string, string>;
if (url === undefined || code === undefined || instead === undefined) throw new Error("BOURSE_PLANT names no fault.");
plantFault(url, { code, instead });
writeSync(2, "PLANTED\n");
