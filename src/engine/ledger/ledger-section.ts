import type { Section } from "../snapshot/section.ts";

/** Every cell, in order of creation. */
export const ledgerSection: Section = {
  name: "ledger",
  version: 1,
  write: ({ ledger }) => [ledger.rowBytes(ledger.count)],
  read: ({ ledger }, [cells]) => ledger.load(cells as Uint8Array),
};
