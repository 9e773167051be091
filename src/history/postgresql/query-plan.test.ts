/** How many rows the server looks at for a question, of somebody who has very many. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { aDeal, anOrder, EventWriter } from "../../../test/support/event-writer.ts";
import { questionsOf } from "../../../test/support/history-questions.ts";
import { openView, takeInto } from "../../../test/support/history-view.ts";
import { NO_POSTGRESQL, PostgresServer } from "../../../test/support/postgresql.ts";
import { connect } from "./connection.ts";
import { readerOn } from "./reader.ts";

const DEALS = 12_000;
/** Deals spread over three partitions, as those of a venue that is years old. */
const ID_STEP = 2_000;
const START_MS = 1_700_000_000_000;
/** A page of ten, on both sides, with what it is joined with; far less than what the user has. */
const ROWS_MAX = 400;

/** Feeds read all seconds of the ticker's window, once at the start. */
const WHOLE_WINDOW = "traded seconds";

let server: PostgresServer | undefined;
after(() => server?.remove());

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** By table: rows that were read of it, wanted or not. */
function* rowsRead(plan: Plan): Generator<[string, number]> {
  const {
    "Relation Name": name,
    "Actual Rows": rows,
    "Actual Loops": loops,
    "Rows Removed by Filter": removed = 0,
  } = plan;
  if (name !== undefined) yield [`${plan["Node Type"]} of ${name}`, (rows + removed) * loops];
  for (const inner of plan.Plans ?? []) yield* rowsRead(inner);
}

/** A history of two users who have traded with each other in two markets all along. */
async function filled(): Promise<string> {
  server = await PostgresServer.start();
  const address = await server.newDatabase();
  const view = await openView(address);
  const writer = new EventWriter();
  for (let nth = 1; nth <= DEALS; nth++) {
    const id = nth * ID_STEP;
    const timeMs = START_MS + nth * 1_000;
    const [taker, maker] = [
      { userId: 1, orderId: 2 * id },
      { userId: 2, orderId: 2 * id + 1 },
    ];
    writer.command(nth, timeMs);
    writer.posting(0);
    writer.deal(
      aDeal({ dealId: id, marketId: nth % 50 === 0 ? 2 : 1, side: nth % 3 === 0 ? "sell" : "buy", taker, maker }),
    );
    for (const { userId, orderId } of [taker, maker]) {
      writer.order(
        "finish",
        anOrder({ orderId, userId, marketId: 1, createdAt: timeMs, updatedAt: timeMs, filledLots: 1n }),
      );
    }
    if (nth % 2_000 === 0) await takeInto(view, writer.take());
  }
  await view.writer.commit();
  await view.close();
  await server.query(address, "insert into bourse.traded_markets values (1, 0, 1, 1), (2, 0, 1, 1)");
  await server.query(address, "vacuum analyze");
  return address;
}

test("no question reads much more than its page, of whoever has traded for years", {
  skip: NO_POSTGRESQL,
}, async () => {
  const address = await filled();
  const client = await connect({ address, name: "test" }, () => {});
  const found: string[] = [];
  let questions = 0;
  // What is asked is explained first, with the rows that it really reads.
  const query = client.query.bind(client) as (
    text: string,
    values?: unknown[],
  ) => Promise<{ rows: Record<string, unknown>[] }>;
  let name = "";
  const explained = async (given: string | { text: string; values: unknown[] }, parameters?: unknown[]) => {
    const [text, values] = typeof given === "string" ? [given, parameters] : [given.text, given.values];
    const { rows } = await query(`explain (analyze, timing off, format json) ${text}`, values);
    const [row] = rows as [{ "QUERY PLAN": [{ Plan: Plan }] }];
    questions++;
    const [{ Plan: plan }] = row["QUERY PLAN"];
    for (const [step, read] of rowsRead(plan))
      if (read > ROWS_MAX && name !== WHOLE_WINDOW) found.push(`${name}: ${step} reads ${read} rows`);
    return await query(text, values);
  };
  Object.defineProperty(client, "query", { value: explained });
  const ask = readerOn(client);
  for (const userId of [1, 2, 3]) {
    for (const [of, question] of questionsOf(userId, START_MS + 1_000_000)) {
      name = of;
      await question(ask);
    }
  }
  assert.deepEqual(found, []);
  assert.ok(questions > 100, `${questions}`);
  // And one that nobody asks is found.
  name = "a query by hand";
  await explained("select * from deals where price = 1");
  assert.equal(found.length, 1, found.join("\n"));
  await client.end();
});
