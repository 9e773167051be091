/** Commands about the count of what the venue owes its users. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { flag, listOf, recordOf, text, whole } from "../field.ts";

const rootRecord = recordOf({ ccy: text, root: text, total: text, leaves: whole });

export const LIABILITY_SCHEMAS = {
  /**
   * Counts what the venue owes its users at this command. Every node then makes the sum trees of that state. Answers `{
   * countSeq }`.
   */
  count_liabilities: commandSchema({
    by: "operator",
    since: "liabilities",
    isQuiet: true,
    fields: {},
    words: () => "count what the venue owes its users",
  }),
  /**
   * Roots of the count at `countSeq`, by ascending currency id: hash, total in whole units of the currency, and number
   * of leaves. A count with many currencies takes several of these; the last is complete.
   */
  publish_liabilities: commandSchema({
    by: "venue",
    since: "liabilities",
    isQuiet: true,
    fields: { countSeq: whole, roots: listOf("roots", rootRecord), isComplete: flag },
    words: ({ countSeq, roots }) =>
      `publish what the venue owed at seq ${countSeq}: ` +
      `${roots.map(({ ccy, total, root }) => `${total} ${ccy} (${root.slice(0, 12)})`).join(", ")}`,
  }),
};

export type CountLiabilities = CommandOf<typeof LIABILITY_SCHEMAS, "count_liabilities">;
export type PublishLiabilities = CommandOf<typeof LIABILITY_SCHEMAS, "publish_liabilities">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof LIABILITY_SCHEMAS> {}
}
