/**
 * The calls by which the operator may change something, as the venue itself describes them: forms and buttons are made
 * of this, and of nothing else.
 */
import { createSignal } from "solid-js";

export interface CallForm {
  readonly shape: "text" | "flag" | "list" | "record" | "records";
  /** The placeholder of the value: `TIME`, `AMOUNT`, `USER`. */
  readonly values: string;
  /** Completes "must be …". */
  readonly expected: string;
  readonly choices?: readonly string[];
  readonly item?: CallForm;
  readonly fields?: readonly CallField[];
}

export interface CallField extends CallForm {
  readonly name: string;
  readonly meaning: string;
  readonly required: boolean;
  /** Can be taken back. */
  readonly clearable: boolean;
}

export interface Call {
  /** Method and path: `POST /admin/users/USER_ID`, whose part in capitals is its first field. */
  readonly id: string;
  readonly verbs: readonly { readonly verb: string; readonly says: string }[];
  /** Above the bounds of the venue it waits for the consent of a second operator. */
  readonly takes_two: boolean;
  readonly fields: readonly CallField[];
}

const [calls, setCalls] = createSignal<readonly Call[]>([]);

/** Those of the operator who is signed in; none for who may only look. */
export { calls };

export function takeCalls(next: readonly Call[]): void {
  setCalls(next);
}

export function callOf(id: string): Call | undefined {
  return calls().find((call) => call.id === id);
}

/** A part of a path that stands for a field. */
const IN_PATH = /(?<=\/)[A-Z_]+(?=\/|$)/;

/** Where a call goes with these values, and what is left for its body. */
export function addressed(
  call: Call,
  values: Readonly<Record<string, unknown>>,
): { method: string; path: string; body: Record<string, unknown> } {
  const [method, path] = call.id.split(" ") as [string, string];
  const first = call.fields[0]?.name;
  if (!IN_PATH.test(path) || first === undefined) return { method, path, body: { ...values } };
  const { [first]: inPath, ...body } = values;
  return { method, path: path.replace(IN_PATH, encodeURIComponent(String(inPath))), body };
}
