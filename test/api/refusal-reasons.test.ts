/** Why something was refused: the header of the dev profile, for every generation and for what is no sound request. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";

describe("reasons of refusals", () => {
  let venue: ApiVenue;
  let poor: ApiUser;
  let rich: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    poor = await venue.addUser("poor", { USDT: "3" });
    rich = await venue.addUser("rich", { USDT: "1000000", BTC: "100" });
    await rich.client.act(ORDER, limitOrder("sell", "2", "30000"));
    await rich.client.act(ORDER, limitOrder("buy", "2", "29000"));
  });
  after(() => venue.close());

  /** The reason of a request, which must be refused. */
  async function reasonOf({ client }: Pick<ApiUser, "client">, path: string, body: object): Promise<string> {
    const answer = await client.fetch("POST", path, JSON.stringify(body));
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f]{16}$/);
    return answer.headers.get("x-bourse-reason") ?? "";
  }

  test("an order is refused with its rule and the figures that decided", async () => {
    const rows: readonly (readonly [who: ApiUser, body: object, reason: RegExp])[] = [
      [
        poor,
        limitOrder("buy", "1", "100"),
        /^2\.4; refusal=insufficient_balance; .*ccy=USDT; available=3\.0+; needed=100\.0+; account=SPOT$/,
      ],
      [poor, marketOrder("buy", "300"), /^2\.4; .*available=3\.0+; needed=300\.0+/],
      [poor, limitOrder("sell", "1", "40000"), /ccy=BTC; available=0\.0+; needed=1\.0+/],
      [
        rich,
        limitOrder("buy", "0.00000001", "30000"),
        /^2\.1 row 5; refusal=amount_off_grid; .*amount=off the grid; min_amount=.*decimals=6/,
      ],
      [
        rich,
        limitOrder("buy", "0.000001", "30000"),
        /^2\.1 row 5; refusal=amount_too_small; .*amount=0\.000001; min_amount=0\.0001/,
      ],
      [rich, limitOrder("buy", "1", "30000.001"), /refusal=price_off_grid; .*tick=0\.01; decimals=2/],
      [
        rich,
        limitOrder("buy", "1", "999999"),
        /^2\.9; refusal=price_far_from_latest; .*side=buy; price=999999\.00; .*most_percent=150/,
      ],
      [
        rich,
        limitOrder("buy", "1", "30000", { type: "maker_only" }),
        /^2\.1 row 9; refusal=would_take; .*price=30000\.00; best_opposite=30000\.00/,
      ],
      [rich, limitOrder("buy", "3", "30000", { type: "fok" }), /refusal=not_fillable; .*within_price=2\.000000$/],
      [
        rich,
        { ...limitOrder("buy", "1", "30000"), market: "NONE" },
        /^2\.1 row 2; refusal=market_not_found; why=market NONE not found$/,
      ],
      [rich, { ...limitOrder("buy", "1", "30000"), side: "up" }, /^13\.3; refusal=invalid_parameter; why=side must be/],
    ];
    // A latest price, from which a limit price can be far.
    await rich.client.act(ORDER, limitOrder("buy", "0.001", "30000"));
    await rich.client.act(ORDER, limitOrder("sell", "0.001", "30000"));
    for (const [who, body, reason] of rows) assert.match(await reasonOf(who, ORDER, body), reason);
  });

  test("so are a change of what is not there, and elements of a batch", async () => {
    const change = { market: "BTCUSDT", market_type: "SPOT", order_id: 999_999, price: "1" };
    assert.match(
      await reasonOf(rich, "/v2/spot/modify-order", change),
      /^2\.15; refusal=order_not_found; .*order_id=999999$/,
    );
    const orders = [limitOrder("buy", "1", "100"), limitOrder("buy", "0.0001", "100"), limitOrder("buy", "1", "101")];
    const reasons = await reasonOf(poor, "/v2/spot/batch-order", { orders });
    assert.match(reasons, /^2\.4; .*needed=100\.0+; account=SPOT, 2\.4; .*needed=101\.0+; account=SPOT$/);
  });

  test("so is who cannot be told, who may not, and what is not there", async () => {
    const reason = async (answer: Promise<Response>) => (await answer).headers.get("x-bourse-reason");
    assert.match((await reason(fetch(`${venue.base}/v2/nowhere`))) ?? "", /^13\.1; refusal=path_not_found$/);
    assert.match(
      (await reason(fetch(`${venue.base}/v2/time`, { method: "PUT" }))) ?? "",
      /^13\.1; refusal=method_not_allowed$/,
    );
    const balance = "/v2/assets/spot/balance";
    assert.match((await reason(fetch(venue.base + balance))) ?? "", /^13\.2; refusal=access_id_missing$/);
    const headers = rich.client.headersFor("GET", balance);
    const wrong = { ...headers, "X-SVC-SIGN": "0".repeat(64) };
    assert.match(
      (await reason(fetch(venue.base + balance, { headers: wrong }))) ?? "",
      /^13\.2; refusal=signature_mismatch; why=/,
    );
    const late = { ...headers, "X-SVC-TIMESTAMP": "1" };
    assert.match(
      (await reason(fetch(venue.base + balance, { headers: late }))) ?? "",
      /^13\.2; refusal=signature_expired; signed_at=1; venue_time=17500/,
    );
    const reader = await venue.addKey(rich.userId, ["read"]);
    const body = limitOrder("buy", "1", "100");
    assert.match(
      await reasonOf({ client: reader }, ORDER, body),
      /^13\.2; refusal=permission_missing; user_id=\d+; needs=trade; permissions=read/,
    );
  });

  test("the legacy generation says it in the same header", async () => {
    const unknown = await fetch(`${venue.base}/v1/market/depth?market=NONE&merge=0`);
    assert.match(unknown.headers.get("x-bourse-reason") ?? "", /^2\.1 row 2; refusal=market_not_found/);
    const { accessId, secret } = rich.client.key as { accessId: string; secret: string };
    const tonce = String(venue.control.timeMs);
    const sent = { access_id: accessId, amount: "0.000001", market: "BTCUSDT", price: "30000", tonce, type: "buy" };
    const query = new URLSearchParams(sent).toString();
    const authorization = createHash("md5").update(`${query}&secret_key=${secret}`).digest("hex").toUpperCase();
    const answer = await fetch(`${venue.base}/v1/order/limit`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    assert.match(answer.headers.get("x-bourse-reason") ?? "", /refusal=amount_too_small; .*min_amount=/);
  });

  test("what is no HTTP gets a name and a reason as well, and a success a name alone", async () => {
    const answered = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(new URL(venue.base).port), "127.0.0.1", () => socket.write("NO HTTP\r\n\r\n"));
      socket.on("data", (piece) => (text += piece)).on("close", () => resolve(text));
    });
    assert.match(answered, /\r\nX-Request-Id: [0-9a-f]{16}\r\nX-Bourse-Reason: 13\.1; refusal=request_malformed; why=/);
    const time = await fetch(`${venue.base}/v2/time`);
    assert.match(time.headers.get("x-request-id") ?? "", /^[0-9a-f]{16}$/);
    assert.equal(time.headers.get("x-bourse-reason"), null);
  });

  test("the latest requests are remembered by their names", async () => {
    const answer = await poor.client.fetch("POST", ORDER, JSON.stringify(limitOrder("buy", "1", "100")));
    const remembered = venue.requests.find(answer.headers.get("x-request-id") ?? "");
    assert.equal(remembered?.path, ORDER);
    assert.equal(remembered.userId, poor.userId);
    assert.equal(remembered.code, 3109);
    assert.deepEqual(
      remembered.reasons.map(({ rule, refusal }) => [rule, refusal]),
      [["2.4", "insufficient_balance"]],
    );
    const placed = await rich.client.fetch("POST", ORDER, JSON.stringify(limitOrder("buy", "1", "100")));
    const { data } = (await placed.json()) as { data: { order_id: number } };
    const good = venue.requests.find(placed.headers.get("x-request-id") ?? "");
    assert.deepEqual([good?.code, good?.orderId, good?.seq], [0, data.order_id, venue.engine.state.seq]);
    assert.equal(venue.requests.find("0000000000000000"), undefined);
  });
});
