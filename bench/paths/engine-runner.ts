import type { Command } from "../../src/engine/command.ts";
import { AnswerSum, GONE } from "./answers.ts";
import type { Checkout } from "./checkout.ts";
import { KIND, type Messages } from "./messages.ts";

const USERS = 1_000;
/** The messages come ten a second, so that a crash takes hours and not the moment that would stop a market. */
const MS_PER_MESSAGE = 100;

/**
 * The whole engine: accounts, freezes, fees, ledger and events as well as the book. Its answers are read from its
 * events.
 */
export class EngineRunner {
  readonly answers = new AnswerSum();
  private readonly checkout: Checkout;
  private readonly messages: Messages;
  private readonly engine;
  private readonly records;
  private readonly starts: Int32Array;
  private readonly firstSeq: number;

  constructor(checkout: Checkout, messages: Messages) {
    const { Engine, WordBuffer, encodeCommand } = checkout;
    this.checkout = checkout;
    this.messages = messages;
    this.engine = new Engine();
    for (const command of setupCommands()) {
      const outcome = this.engine.execute(command, { seq: this.engine.state.seq + 1, timeMs: 1 });
      if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
    }
    this.engine.events.clear();
    this.firstSeq = this.engine.state.seq + 1;
    this.records = new WordBuffer(messages.count * 6);
    this.starts = new Int32Array(messages.count);
    for (let index = 0; index < messages.count; index++) {
      this.starts[index] = encodeCommand(this.records, commandAt(messages, index));
    }
  }

  run(from: number, count: number): void {
    const { engine, records, starts, firstSeq } = this;
    const { events } = engine;
    for (let index = from; index < from + count; index++) {
      if ((index & 63) === 0) events.clear();
      engine.apply(records, starts[index] as number, firstSeq + index, index * MS_PER_MESSAGE);
    }
  }

  /** As `run`, reading each answer. */
  runRead(from: number, count: number): void {
    const { engine, records, starts, firstSeq, messages, answers } = this;
    const { events } = engine;
    for (let index = from; index < from + count; index++) {
      events.clear();
      const outcome = engine.apply(records, starts[index] as number, firstSeq + index, index * MS_PER_MESSAGE);
      if (outcome.refusal !== 0) {
        const refusal = this.checkout.refusalIn(outcome);
        if (messages.kinds[index] === KIND.place || refusal !== "order_not_found") {
          throw new Error(`Message ${index} was refused: ${refusal}.`);
        }
        answers.add(GONE);
        continue;
      }
      for (const event of this.checkout.decodeEvents(events)) {
        if (event.kind !== "deal") continue;
        answers.add(event.maker.orderId);
        answers.addAmount(event.price);
        answers.addAmount(event.lots);
      }
      answers.addAmount(this.checkout.decodeOrder(events, outcome.orderEvent).left);
    }
  }

  /** As of a book alone. */
  finish(): string {
    const { answers } = this;
    const { orders, books } = this.engine.state;
    const book = books[0];
    if (book === undefined) throw new Error("There is no market.");
    answers.addBook(book, orders);
    return answers.text;
  }
}

function setupCommands(): Command[] {
  const setup: Command[] = [
    { kind: "list_asset", ccy: "BTC", scale: 8 },
    { kind: "list_asset", ccy: "USDT", scale: 8 },
    {
      kind: "list_market",
      market: "BTCUSDT",
      baseCcy: "BTC",
      quoteCcy: "USDT",
      amountPrecision: 6,
      pricePrecision: 2,
      minAmount: "0.000001",
      makerFeeRate: "0.001",
      takerFeeRate: "0.002",
    },
  ];
  for (let user = 1; user <= USERS; user++) {
    setup.push({ kind: "create_user", name: `user-${user}` });
    setup.push({ kind: "deposit", userId: user, ccy: "BTC", amount: "1000000", note: "bench" });
    setup.push({ kind: "deposit", userId: user, ccy: "USDT", amount: "10000000", note: "bench" });
  }
  return setup;
}

function commandAt(messages: Messages, index: number): Command {
  const orderId = messages.orderIds[index] as number;
  const userId = 1 + (orderId % USERS);
  const price = messages.prices[index] as bigint;
  if (messages.kinds[index] === KIND.change) return { kind: "modify_order", userId, marketId: 0, orderId, price };
  if (messages.kinds[index] === KIND.cancel) return { kind: "cancel_order", userId, marketId: 0, orderId };
  return {
    kind: "place_order",
    userId,
    marketId: 0,
    account: "spot",
    side: messages.sides[index] === 0 ? "buy" : "sell",
    type: "limit",
    amountIn: "base",
    amount: messages.lots[index] as bigint,
    price,
    hidden: false,
    stpMode: "none",
    clientId: "",
  };
}
