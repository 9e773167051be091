/**
 * Servers that lie or stall under a history in PostgreSQL: the venue goes on, memory is bounded, and history returns by
 * itself.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { EventWriter } from "../../../test/support/event-writer.ts";
import { LIES, type Lie, LyingServer } from "../../../test/support/lying-server.ts";
import { NO_POSTGRESQL, PostgresServer } from "../../../test/support/postgresql.ts";
import { BackfillSender } from "../backfill.ts";
import { History } from "../history.ts";
import { connect, drop } from "./connection.ts";

const WAIT_MS = 120_000;
const START_MS = 1_700_000_000_000;
const MIB = 1_048_576;
/** What an answer may have at most, with what is on its way in buffers of the machine. */
const ENDLESS_BYTES_MAX = 96 * MIB;
const USER = "bourse";

/** The head of a row, and rows of one field of a mebibyte. */
const ROW = (() => {
  const row = Buffer.alloc(5 + 2 + 4 + MIB, 0x30);
  row.write("D");
  row.writeUInt32BE(row.length - 1, 1);
  row.writeUInt16BE(1, 5);
  row.writeUInt32BE(MIB, 7);
  return row;
})();
const ENDLESS_ROWS = { head: Buffer.alloc(0), piece: ROW };
/** One message that is as long as one can say. */
const ENDLESS_MESSAGE = { head: Buffer.from([0x44, 0xff, 0xff, 0xff, 0xff]), piece: Buffer.alloc(65_536, 0x30) };
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const sinceMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - sinceMs < WAIT_MS, `${what} did not come`);
    await pause(20);
  }
}

const group = (seq: number) =>
  new EventWriter()
    .command(seq, START_MS + seq)
    .posting(0)
    .take();

describe("a server that is none", { concurrency: false }, () => {
  for (const lie of ["garbage", "closing", "reset", "endless"] satisfies Lie[]) {
    test(`${lie}: no connection comes about, and a sentence says why`, async (t) => {
      const server = await LyingServer.start({ endless: ENDLESS_MESSAGE });
      t.after(() => server.close());
      server.lie = lie;
      for (let tries = 0; tries < 10; tries++) {
        const address = `postgres://${USER}:word@127.0.0.1:${server.port}/history`;
        await assert.rejects(
          connect({ address, name: "test" }, () => {}),
          (error: Error) => {
            assert.ok(error.message.length > 0 || (error as { code?: string }).code);
            return true;
          },
        );
      }
      await until("the end of all connections", () => server.open === 0);
      assert.ok(server.endlessBytesMost < 16 * MIB, `${server.endlessBytesMost} bytes were taken`);
    });
  }

  test("one that lets in, and then answers for ever, is cut when it has said more than any answer has", async (t) => {
    const server = await LyingServer.start({ endless: { head: READY, piece: ROW } });
    t.after(() => server.close());
    server.lie = "endless";
    const address = `postgres://${USER}:word@127.0.0.1:${server.port}/history`;
    const { promise: lost, resolve } = Promise.withResolvers<string>();
    const client = await connect({ address, name: "test" }, resolve).catch((error: Error) => {
      resolve(error.message);
      return undefined;
    });
    client?.query("select 1").catch(() => {});
    assert.match(await lost, /its answer has more than|cannot be read|no message/);
    assert.ok(server.endlessBytesMost < ENDLESS_BYTES_MAX, `${server.endlessBytesMost} bytes were taken`);
    drop(client);
    await until("the end of all connections", () => server.open === 0);
  });

  test("one that says nothing more is left without its consent", async (t) => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.write(READY));
      t.after(() => socket.destroy());
    });
    t.after(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const client = await connect(
      { address: `postgres://${USER}:word@127.0.0.1:${port}/history`, name: "test" },
      () => {},
    );
    client.query("select 1").catch(() => {});
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    drop(client);
    await until("the end of the connection", () => stream.destroyed);
  });
});

describe("a history in PostgreSQL behind a server that lies", { skip: NO_POSTGRESQL, concurrency: false }, () => {
  let sound: PostgresServer;
  before(async () => {
    sound = await PostgresServer.start();
  });
  after(() => sound?.remove());

  test("every lie: it stands away and says why, nothing ends, memory is bounded, and it returns", async (t) => {
    const real = await sound.newDatabase();
    const server = await LyingServer.start({ soundPort: sound.port, endless: ENDLESS_ROWS });
    t.after(() => server.close());
    const address = real.replace(`:${sound.port}/`, `:${server.port}/`);
    const notes: string[] = [];
    const told = new Map<number, Uint8Array<ArrayBuffer>>();
    let seq = 0;
    const history = await History.open({
      path: ":memory:",
      venueId: "venue-1",
      logSeq: 0,
      onFault: (fault) => assert.fail(fault),
      database: {
        address,
        onStatus: (_status, note) => notes.push(note),
        sendBackfill: (afterSeq, port) => {
          const teller = new BackfillSender(port);
          void (async () => {
            for (const [at, events] of told) {
              if (at <= afterSeq) continue;
              await teller.room();
              if (teller.isClosed) return;
              teller.tell(events.slice(), at);
            }
            teller.end();
          })();
        },
      },
    });
    t.after(() => history.close());
    const append = () => {
      const events = group(++seq);
      told.set(seq, events.slice());
      history.append(events, seq);
    };
    const isWritten = async () => {
      append();
      return history.status === "writing" && (await history.flushed().catch(() => 0)) === seq;
    };
    await until("the first rows", isWritten);
    for (const lie of LIES) {
      notes.length = 0;
      server.lie = lie;
      // What is asked now meets the lie; a silent server is one whose machine hangs, with its connections.
      server.cut();
      await until(`${lie}: away`, () => {
        append();
        return history.status === "away";
      });
      const openMost = server.open;
      // Time itself: long enough for some tries; how many there are is the question.
      await pause(1_000);
      assert.ok(server.open <= openMost + 8, `${server.open} connections are open`);
      assert.match(notes.join("\n"), /The history's database is away \(.+\); the venue goes on without it\./, lie);
      server.lie = "none";
      server.cut();
      await until(`${lie}: the return`, isWritten);
      const [{ applied_seq: reached } = {}] = await sound.query(real, "select applied_seq from bourse.meta");
      assert.ok(Number(reached) >= 1, lie);
    }
    assert.ok(server.endlessBytesMost < ENDLESS_BYTES_MAX, `${server.endlessBytesMost} bytes were taken`);
    const rows = await sound.query(real, "select applied_seq from bourse.meta");
    assert.equal(Number(rows[0]?.applied_seq), seq, "nothing is missing");
  });
});
