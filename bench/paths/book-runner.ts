import { FLAG } from "../../src/engine/command.ts";
import * as money from "../../src/engine/money/int64.ts";
import type { Book } from "../../src/engine/trading/book.ts";
import type { Draft } from "../../src/engine/trading/draft.ts";
import { AnswerSum, GONE } from "./answers.ts";
import type { Checkout } from "./checkout.ts";
import { KIND, type Messages } from "./messages.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const MARKET = 0;
const SELL = FLAG.sell;
/** Room for the level events of a message that sweeps every order there is. */
const MESSAGE_WORDS = 1024;
/** Events are forgotten after so many messages, which is a power of 2. */
const MESSAGES_KEPT = 64;

/** A book alone, with the orders that it holds and nobody to pay for them: just enough to answer the messages of W2. */
export class BookRunner {
  readonly answers = new AnswerSum();
  private readonly messages: Messages;
  private readonly orders;
  private readonly events;
  private readonly draft: Draft;
  readonly book: Book;

  constructor(checkout: Checkout, name: "ladder" | "plain", messages: Messages) {
    const { LadderBook, PlainBook, Orders, WordBuffer } = checkout;
    this.messages = messages;
    this.orders = new Orders();
    this.events = new WordBuffer(MESSAGES_KEPT * MESSAGE_WORDS);
    this.draft = checkout.draft ?? new checkout.Draft();
    const Maker = name === "ladder" ? LadderBook : PlainBook;
    this.book = new Maker(this.orders, this.events, MARKET);
  }

  run(from: number, count: number): void {
    const { events } = this;
    for (let index = from; index < from + count; index++) {
      if ((index & (MESSAGES_KEPT - 1)) === 0) events.clear();
      this.take(index);
    }
  }

  /** The sum of the answers and of what the book holds in the end, in priority. */
  finish(): string {
    const { answers, book, orders } = this;
    answers.addBook(book, orders);
    return answers.text;
  }

  private take(index: number): void {
    const { orders, book, draft, messages, answers } = this;
    const kind = messages.kinds[index] as number;
    draft.price = messages.prices[index] as bigint;
    if (kind === KIND.place) {
      const slot = orders.allocate();
      orders.setOrderId(slot, messages.orderIds[index] as number);
      orders.setFlags(slot, (messages.sides[index] as number) === 1 ? SELL : 0);
      orders.setPrice(slot, draft.price);
      orders.setLeft(slot, messages.lots[index] as bigint);
      this.trade(slot);
      answers.addAmount(orders.left(slot));
      if (orders.hasLeft(slot)) {
        book.insert(slot);
        orders.enter(slot);
      } else orders.free(slot);
      return;
    }
    const slot = orders.find(messages.orderIds[index] as number);
    if (slot < 0) {
      answers.add(GONE);
    } else if (kind === KIND.cancel) {
      book.remove(slot);
      orders.leave(slot);
      answers.addAmount(orders.left(slot));
      orders.free(slot);
    } else {
      this.change(slot);
    }
  }

  /** Gives an order the drafted price. */
  private change(slot: number): void {
    const { orders, book, draft, answers } = this;
    draft.left = orders.left(slot);
    if (this.crosses(orders.side(slot))) {
      book.remove(slot);
      orders.setPrice(slot, draft.price);
      this.trade(slot);
      if (orders.hasLeft(slot)) book.insert(slot);
    } else if (orders.price(slot) !== draft.price) {
      book.move(slot, draft);
    }
    answers.addAmount(orders.left(slot));
    if (orders.hasLeft(slot)) return;
    orders.leave(slot);
    orders.free(slot);
  }

  /** Whether the drafted price meets the other side. */
  private crosses(side: number): boolean {
    const { book, draft } = this;
    const opposite = book.bestPrice[side ^ 1] as bigint;
    return side === 0 ? opposite <= draft.price : opposite >= draft.price;
  }

  /** Lets an order of the drafted price trade as far as it goes. */
  private trade(taker: number): void {
    const { orders, book, answers } = this;
    const side = orders.side(taker);
    while (orders.hasLeft(taker) && this.crosses(side)) {
      const maker = book.first(side ^ 1);
      answers.add(orders.orderId(maker));
      answers.addAmount(orders.price(maker));
      if (orders.left(taker) < orders.left(maker)) {
        answers.addAmount(orders.left(taker));
        book.resize(maker, int64(orders.left(maker) - orders.left(taker)));
        orders.setLeft(taker, 0n);
      } else {
        answers.addAmount(orders.left(maker));
        orders.setLeft(taker, int64(orders.left(taker) - orders.left(maker)));
        book.remove(maker);
        orders.leave(maker);
        orders.free(maker);
      }
    }
  }
}
