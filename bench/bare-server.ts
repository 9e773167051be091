/**
 * The yardstick of bench http: node's own HTTP server, reading a body and answering a fixed JSON text of the usual
 * size.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER = JSON.stringify({
  code: 0,
  data: {
    order_id: 13400,
    market: "BTCUSDT",
    market_type: "SPOT",
    side: "buy",
    type: "limit",
    ccy: "BTC",
    amount: "0.010000",
    price: "29000.00",
    client_id: "",
    created_at: 1_750_000_000_000,
    updated_at: 1_750_000_000_000,
    base_fee: "0.00000000",
    quote_fee: "0.00000000",
    discount_fee: "0.00000000",
    maker_fee_rate: "0.001",
    taker_fee_rate: "0.002",
    unfilled_amount: "0.010000",
    filled_amount: "0.000000",
    filled_value: "0.00000000",
    last_filled_amount: "0",
    last_filled_price: "0",
  },
  message: "OK",
});
const LENGTH = String(Buffer.byteLength(ANSWER));

const server = createServer((request, response) => {
  request.on("data", () => {});
  request.on("end", () => {
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": LENGTH });
    response.end(ANSWER);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`ready ${(server.address() as AddressInfo).port}`));
