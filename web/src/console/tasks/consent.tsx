/** Who else must consent to an act, before it is sent: told with the amount that stands in the form. */
import { Show } from "solid-js";
import { compare, isDecimal } from "../../number/decimal.ts";
import { grouped } from "../../number/show.ts";
import type { Act, Money, Row } from "../area.ts";
import type { Call } from "../calls.ts";
import { session } from "../session.ts";

export function Consent(props: { act: Act; call: Call; given: Row }) {
  const says = () => (props.call.takes_two ? consentTo(props.call, props.act, props.given) : undefined);
  return (
    <Show when={says()}>
      {(sentence) => (
        <p class="note consent" role="status">
          {sentence()}
        </p>
      )}
    </Show>
  );
}

const WAITS = "It waits under Approvals until a second operator consents.";

function consentTo(call: Call, act: Act, given: Row): string | undefined {
  const { four_eyes: bounds = {}, changes_take_two: isDual = false } = session() ?? {};
  const movesMoney = act.moves !== undefined || ["ccy", "amount"].every((name) => namesOf(call, act).includes(name));
  if (!movesMoney) return isDual ? WAITS : undefined;
  const money = act.moves === undefined ? moneyIn({ ...act.fixed, ...given }) : act.moves();
  const bound = money === undefined ? undefined : bounds[money.ccy];
  if (money === undefined || bound === undefined) return undefined;
  const most = `${grouped(bound)} ${money.ccy}`;
  return compare(money.amount, bound) > 0
    ? `It is more than ${most}. ${WAITS}`
    : `Up to ${most} it is done at once. When more than the venue allows one ` +
        "operator in a day has moved already, it waits for a second operator's consent.";
}

function namesOf(call: Call, { fixed = {} }: Act): readonly string[] {
  return [...call.fields.map(({ name }) => name), ...Object.keys(fixed)];
}

/**
 * Returns the money in the fields of a call: an amount that is taken away counts like one that is given. Undefined
 * without it.
 */
function moneyIn({ ccy, amount }: Row): Money | undefined {
  const size = String(amount ?? "").replace("-", "");
  return typeof ccy === "string" && isDecimal(size) ? { ccy, amount: size } : undefined;
}
