/** Refusals, and the field that each of them is about. */
import { createStore } from "solid-js/store";
import { Refusal, sentenceOf } from "../api/client.ts";
import type { Fault } from "./number-field.tsx";

export type FaultPlace = "price" | "amount" | "display" | "trigger" | "trail" | "take_profit" | "stop_loss" | "form";

const NONE: Record<FaultPlace, undefined> = {
  price: undefined,
  amount: undefined,
  display: undefined,
  trigger: undefined,
  trail: undefined,
  take_profit: undefined,
  stop_loss: undefined,
  form: undefined,
};

export interface Faults {
  readonly at: Readonly<Partial<Record<FaultPlace, Fault>>>;
  /** Undefined takes away what stands there. */
  readonly set: (place: FaultPlace, fault: Fault | undefined) => void;
  readonly clear: () => void;
  /** Puts what the venue said beside the field that it is about. */
  readonly refused: (error: unknown) => void;
}

const AMOUNT_CODES = [3109, 3127];
const PRICE_CODES = [3606, 3615, 3622];

export function createFaults(): Faults {
  const [at, setAt] = createStore<Partial<Record<FaultPlace, Fault>>>({});
  return {
    at,
    set: (place, fault) => setAt(place, fault),
    clear: () => setAt(NONE),
    refused: (error) => {
      const fault: Fault = { text: sentenceOf(error), rule: error instanceof Refusal ? error.rule : undefined };
      setAt(error instanceof Refusal ? placeOf(error) : "form", fault);
    },
  };
}

function placeOf({ code, message }: Refusal): FaultPlace {
  if (/display_amount/.test(message)) return "display";
  if (AMOUNT_CODES.includes(code)) return "amount";
  if (PRICE_CODES.includes(code)) return "price";
  if (/take profit/i.test(message)) return "take_profit";
  if (/stop loss/i.test(message)) return "stop_loss";
  if (/\btrail/i.test(message)) return "trail";
  if (/trigger/i.test(message)) return "trigger";
  if (/\bprice\b/i.test(message)) return "price";
  if (/\bamount\b/i.test(message)) return "amount";
  return "form";
}
