/** A bot that does it right, with the client: `node good-bot.ts [SECONDS]`. */
import { Book, Client, followOrders, placeOnce } from "../../client/index.ts";

const { BOURSE_URL: url = "", BOURSE_ACCESS_ID: accessId = "", BOURSE_SECRET_KEY: secretKey = "" } = process.env;
const MARKET = { market: "BTCUSDT", market_type: "SPOT" } as const;
const untilMs = performance.now() + Number(process.argv[2] ?? "8") * 1_000;

const client = new Client({ url, key: { accessId, secretKey } });
const book = await Book.follow(client.socket("spot"), MARKET.market, { limit: 5 });
const orders = await followOrders(client, "spot", [MARKET.market]);
if (!book.ok || !orders.ok) throw new Error("The sockets cannot be followed.");

let placed = 0;
while (performance.now() < untilMs) {
  await client.get("/spot/market");
  const balance = await client.get("/assets/spot/balance");
  // A key that is refused does not get better by asking again.
  if (!balance.ok && balance.code === 4006) await pause(1_500);
  const order = { ...MARKET, side: "buy", type: "maker_only", amount: "0.001", price: "20000" } as const;
  const answer = await placeOnce(client, "/spot/order", order, { windowMs: 500 });
  if (!answer.ok) continue;
  placed++;
  const { order_id } = answer.data;
  await client.post("/spot/cancel-order", { ...MARKET, order_id }, { repeatable: true });
  await pause(50);
}
client.close();
process.stdout.write(`placed ${placed}\n`);

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
