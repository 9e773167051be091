/** The amount that an account has for a form: a press takes all of it. A dash until the balances have been read. */
import { Show } from "solid-js";
import type { Decimal } from "../number/decimal.ts";
import { grouped, UNKNOWN } from "../number/show.ts";

interface AvailableProps {
  /** Undefined while nobody knows. */
  readonly amount: Decimal | undefined;
  readonly ccy: string;
  readonly take?: (amount: Decimal) => void;
  readonly name?: string;
}

export function Available(props: AvailableProps) {
  return (
    <p class="available">
      <span class="quiet">{props.name ?? "Available"}</span>
      <Show when={props.amount} fallback={<span class="quiet">{UNKNOWN}</span>}>
        {(amount) => (
          <Show
            when={props.take}
            fallback={
              <span>
                {grouped(amount())} {props.ccy}
              </span>
            }
          >
            {(take) => (
              <button type="button" class="text-button" onClick={() => take()(amount())}>
                {grouped(amount())} {props.ccy}
              </button>
            )}
          </Show>
        )}
      </Show>
    </p>
  );
}
