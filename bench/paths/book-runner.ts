import { FLAG } from "../../src/engine/command.ts";
import type { Book } from "../../src/engine/trading/book.ts";
import { AnswerSum, GONE } from "./answers.ts";
import type { Checkout } from "./checkout.ts";
import { KIND, type Messages } from "./messages.ts";

const MARKET = 0;
const SELL = FLAG.sell;
/** Room for the level events of a message that sweeps every order there is. */
const MESSAGE_WORDS = 1024;

/** A book alone, with the orders that it holds and nobody to pay for them: just enough to answer the messages of W2. */
export class BookRunner {
  readonly answers = new AnswerSum();
  private readonly messages: Messages;
  private readonly orders;
  private readonly events;
  private readonly draft;
  readonly book: Book;

  constructor(checkout: Checkout, name: "ladder" | "plain", messages: Messages) {
    const { LadderBook, PlainBook, Orders, WordBuffer, draft } = checkout;
    this.messages = messages;
    this.orders = new Orders();
    this.events = new WordBuffer(1 << 16);
    this.draft = draft;
    const Maker = name === "ladder" ? LadderBook : PlainBook;
    this.book = new Maker(this.orders, this.events, MARKET);
  }

  run(from: number, count: number): void {
    const { events } = this;
    for (let index = from; index < from + count; index++) {
      if ((index & 63) === 0) events.clear();
      events.reserve(MESSAGE_WORDS);
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
    const orderId = messages.orderIds[index] as number;
    const price = messages.prices[index] as number;
    if (kind === KIND.place) {
      const slot = orders.allocate();
      orders.setOrderId(slot, orderId);
      orders.setFlags(slot, (messages.sides[index] as number) === 1 ? SELL : 0);
      orders.setPrice(slot, BigInt(price));
      orders.setLeft(slot, BigInt(messages.lots[index] as number));
      this.trade(slot);
      answers.add(Number(orders.left(slot)));
      if (orders.hasLeft(slot)) {
        book.insert(slot);
        orders.enter(slot);
      } else orders.free(slot);
      return;
    }
    const slot = orders.find(orderId);
    if (slot < 0) {
      answers.add(GONE);
    } else if (kind === KIND.cancel) {
      book.remove(slot);
      orders.leave(slot);
      answers.add(Number(orders.left(slot)));
      orders.free(slot);
    } else if (Number(orders.price(slot)) === price) {
      answers.add(Number(orders.left(slot)));
    } else if (this.crosses(orders.side(slot), price)) {
      book.remove(slot);
      orders.setPrice(slot, BigInt(price));
      this.trade(slot);
      answers.add(Number(orders.left(slot)));
      if (orders.hasLeft(slot)) book.insert(slot);
      else {
        orders.leave(slot);
        orders.free(slot);
      }
    } else {
      draft.price = BigInt(price);
      draft.left = orders.left(slot);
      book.move(slot);
      answers.add(Number(orders.left(slot)));
    }
  }

  private crosses(side: number, price: number): boolean {
    const opposite = this.book.bestPrice[side ^ 1] as bigint;
    return side === 0 ? opposite <= BigInt(price) : opposite >= BigInt(price);
  }

  private trade(taker: number): void {
    const { orders, book, answers } = this;
    const side = orders.side(taker);
    while (orders.hasLeft(taker) && this.crosses(side, Number(orders.price(taker)))) {
      const maker = book.first(side ^ 1);
      const [wanted, offered] = [Number(orders.left(taker)), Number(orders.left(maker))];
      const lots = Math.min(wanted, offered);
      answers.add(orders.orderId(maker));
      answers.add(Number(orders.price(maker)));
      answers.add(lots);
      orders.setLeft(taker, BigInt(wanted - lots));
      if (lots < offered) book.resize(maker, BigInt(offered - lots));
      else {
        book.remove(maker);
        orders.leave(maker);
        orders.free(maker);
      }
    }
  }
}
