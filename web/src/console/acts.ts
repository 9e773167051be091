/** The act whose form is open. */
import { createSignal } from "solid-js";
import type { Act } from "./area.ts";
import { callOf } from "./calls.ts";

const [openAct, setOpenAct] = createSignal<Act>();

export { openAct, setOpenAct };

/** Whether anyone who is signed in may do it at all: the venue has told. */
export function mayDo({ call, fixed = {}, ask = [] }: Act): boolean {
  const fields = callOf(call)?.fields.map(({ name }) => name);
  return fields !== undefined && [...Object.keys(fixed), ...ask].every((name) => fields.includes(name));
}
