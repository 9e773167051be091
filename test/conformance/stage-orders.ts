import type { ApiUser } from "../support/served-venue.ts";

export type Params = Readonly<Record<string, unknown>>;

type Product = "spot" | "futures";

/** Places an order that rests; its id. */
export async function rest({ client }: ApiUser, product: Product, order: object): Promise<number> {
  return (await client.act(`/v2/${product}/order`, order)).order_id;
}

/** Places a stop order that waits; its id. */
export async function wait(caller: ApiUser, product: Product, stop: Params): Promise<number> {
  await makeRoom(caller, product, stop);
  return (await caller.client.act(`/v2/${product}/stop-order`, stop)).stop_id;
}

/** Only a hundred stop orders may wait: those before make room. */
export async function makeRoom({ client }: ApiUser, product: Product, { market, market_type }: Params): Promise<void> {
  const waiting = await client.read(`/v2/${product}/pending-stop-order`, {
    market_type: String(market_type),
    limit: 1000,
  });
  const stop_ids = waiting.map((row: { stop_id: number }) => row.stop_id);
  if (stop_ids.length > 50) {
    await client.act(`/v2/${product}/cancel-batch-stop-order`, { market, market_type, stop_ids });
  }
}
