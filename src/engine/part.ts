/**
 * The contract between the engine's kernel and its parts. A part is one folder that says everything about a product or a
 * service of the venue; the kernel knows it by this contract alone, and by its line in parts.ts. docs/adding-a-part.md goes
 * through one.
 *
 * - **Commands.** `forms.ts` of the part declares each JSON command once, by its fields and by whose wish it is (form.ts):
 *   type, check, freeze of accounts and words of the log follow from it. `declare module "../command.ts"` enters them in
 *   `JsonCommands`. `commands` says who carries each out: a form without one does not compile, and neither does a part whose
 *   commands are entered and whose line in parts.ts is forgotten.
 * - **A command** is a function of state and command. It decides every refusal before its first write, writes, tells what
 *   happened (`emitHappening`, postings of the ledger) and answers. It throws for nothing that stands in the log.
 */
import type { Answer } from "./answer.ts";
import type { CommandOf, Forms } from "./form.ts";
import type { State } from "./state.ts";

/** Who carries out the commands of these forms. */
export type CarriedOut<All extends Forms> = {
  readonly [Kind in keyof All]: (state: State, command: CommandOf<All, Kind>) => Answer;
};

export interface Part<All extends Forms = Forms> {
  /** Its own, in the words of the trade. */
  readonly name: string;
  readonly forms: All;
  readonly commands: CarriedOut<All>;
}

/** Declares a part. */
export function part<const All extends Forms>(declared: Part<All>): Part<All> {
  return declared;
}
