/** Messages between a venue in a process of its own and the process that started it. */
import type { Given } from "./options.ts";
import type { Running } from "./running.ts";

export type ToChild = { readonly kind: "start"; readonly given: Given } | { readonly kind: "stop" };

export type FromChild =
  | ({ readonly kind: "ready" } & Omit<Running, "stop">)
  /** It did not start, or failed while it ran; either way the process ends. */
  | { readonly kind: "failed"; readonly message: string };
