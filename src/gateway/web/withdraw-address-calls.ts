/** The addresses that an account may withdraw to: what operators noted for it, which no call of the API returns. */
import { payments } from "../../engine/payments/payments.ts";
import { type WebCall, webCall } from "./call.ts";

/** Newest first; who has more finds an older one by its text. */
const SHOWN_MAX = 200;

const list = webCall({
  method: "GET",
  path: "/web/withdraw-addresses",
  needs: "session",
  fields: {},
  serve({ backend }, { session }) {
    const noted = payments.of(backend.state).allowedOf.get(session.userId) ?? [];
    const addresses = noted
      .slice(-SHOWN_MAX)
      .reverse()
      .map(({ addressId, chain, address, memo, remark, createdAt }) => ({
        address_id: addressId,
        ...{ chain, address, memo, remark },
        created_at: createdAt,
      }));
    return { data: { addresses } };
  },
});

export const WITHDRAW_ADDRESS_CALLS: readonly WebCall[] = [list];
