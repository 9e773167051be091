/** Finds deposits and withdrawals by number, transaction and address, and users by their addresses. */
import { ownerOf } from "../../../engine/payments/addresses.ts";
import { payments } from "../../../engine/payments/payments.ts";
import type { DepositRow, WithdrawalRow } from "../../../history/payments/payment-queries.ts";
import { type Finder, FOUND_MAX, type Found, idIn } from "../../admin/search.ts";
import { userFound } from "../accounts/find-users.ts";

/** Shorter texts are no transaction, and would only be looked for in vain. */
const TX_CHARS_MIN = 8;

export const findPayments: Finder = async ({ history }, text) => {
  const id = idIn(text);
  const page = { page: 1, limit: FOUND_MAX };
  const asked =
    id !== undefined
      ? ([history.deposits({ depositId: id, ...page }), history.withdrawals({ withdrawId: id, ...page })] as const)
      : text.length >= TX_CHARS_MIN
        ? ([history.deposits({ txId: text, ...page }), history.withdrawals({ txId: text, ...page })] as const)
        : undefined;
  if (asked === undefined) return [];
  const [deposits, withdrawals] = await Promise.all(asked);
  return [...deposits.rows.map(depositFound), ...withdrawals.rows.map(withdrawalFound)];
};

/** An address that users share is told apart by its memo, given behind it. */
export const findAddresses: Finder = ({ state, addresses }, text) => {
  const [address = "", memo = ""] = text.split(/\s+/);
  const found = new Set<number>();
  for (const book of payments.of(state).chains.values()) {
    const owner = ownerOf(book, addresses?.normalized(book.name, address) ?? address, memo);
    if (owner !== undefined) found.add(owner.userId);
  }
  return Array.from(found, (userId) => userFound(state, userId, "receives at this address"));
};

function depositFound({ depositId, amount, ccy, chain, status, userId }: DepositRow): Found {
  return { kind: "deposit", id: String(depositId), says: `${amount} ${ccy}${over(chain)}, ${status}`, userId };
}

function withdrawalFound({ withdrawId, amount, ccy, chain, status, userId }: WithdrawalRow): Found {
  return { kind: "withdrawal", id: String(withdrawId), says: `${amount} ${ccy}${over(chain)}, ${status}`, userId };
}

function over(chain: string): string {
  return chain === "" ? "" : ` over ${chain}`;
}
