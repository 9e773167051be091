import { given, inSteps, type Section } from "../snapshot/section.ts";

/** Every cell, in order of creation. */
export const ledgerSection: Section = {
  name: "ledger",
  version: 1,
  ...inSteps({
    bytes: ({ ledger }) => ledger.rowsLength(ledger.count),
    copy: ({ ledger }, memory) => given([ledger.rowBytes(ledger.count, memory)]),
  }),
  read: ({ ledger }, [cells]) => ledger.load(cells as Uint8Array),
};
