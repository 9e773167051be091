import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainWorkerVenue } from "../../../test/chains/chain-worker-venue.ts";
import { CHAIN, PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { reconcile } from "../../chains/reconcile.ts";
import { findSimulatedChain } from "../../engine/simulated-chain/ledger.ts";
import { SimulatedChain } from "./simulated-chain.ts";

const NAME = "SIM";
const BLOCK_MS = 1_000;

/** A venue at a simulated chain, on which ETH is credited after 2 blocks, and beyond all reorganisation after 4. */
class SimulatedVenue extends ChainWorkerVenue {
  static async open(): Promise<SimulatedVenue> {
    const venue = new SimulatedVenue(new PaymentsVenue(), NAME);
    venue.venue.accept({ kind: "list_asset", ccy: "ETH", scale: 10, chains: [{ ...CHAIN, chain: NAME }] });
    await venue.restart();
    return venue;
  }

  /** As after a start: nothing is known but what the log holds. */
  async restart(): Promise<void> {
    const safeConfirmations = (ccy: string) => this.safeConfirmations(ccy);
    const chain = new SimulatedChain({
      venue: this.link,
      book: this.book,
      seed: 1,
      blockMs: BLOCK_MS,
      safeConfirmations,
    });
    await chain.start();
    this.begin(chain);
  }

  pay(toAddress: string, amount: string): string {
    const done = this.venue.accept({ kind: "simulate_transaction", chain: NAME, ccy: "ETH", toAddress, amount });
    return (done.result as { txId: string }).txId;
  }

  async block(count = 1): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      this.venue.wait(BLOCK_MS);
      await this.round();
    }
  }

  /** Ann has 100 ETH, and the hot wallet holds them. */
  async fund(): Promise<void> {
    this.venue.deposit(this.venue.ann, "ETH", "100");
    this.pay(this.worker.chain.hotAddress, "100");
    await this.block();
  }

  /** What the chain has paid to an address. */
  paidTo(address: string): string[] {
    const { transactions = [] } = findSimulatedChain(this.venue.state, NAME) ?? {};
    return transactions.filter(({ toAddress }) => toAddress === address).map(({ amount }) => String(amount));
  }
}

test("what comes to a user is seen, credited when it is deep enough, and brought to the hot wallet", async () => {
  const venue = await SimulatedVenue.open();
  const ann = await venue.address(venue.venue.ann);
  venue.pay(ann, "2");
  await venue.block();
  assert.deepEqual(venue.deposits(), ["20000000000 ETH confirming"]);
  await venue.block();
  assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "2.0000000000 + 0.0000000000");
  await venue.block(10);
  assert.deepEqual(venue.complaints, []);
  assert.deepEqual([venue.book.all(), venue.book.known?.unswept.size], [[], 0]);
  const [holding] = await venue.worker.chain.holdings(["ETH"]);
  // Half of the fee of withdrawals is what the chain takes.
  assert.equal(holding?.hot, "1.9997500000");
  const { ok, troubles } = await reconcile(venue.venue.state, [venue.worker.chain], new Map());
  assert.deepEqual([ok, troubles], [true, []]);
  venue.venue.assertRepeatable();
});

test("a deposit that a reorganisation drops is cancelled, one that it moves is counted anew", async () => {
  const venue = await SimulatedVenue.open();
  const ann = await venue.address(venue.venue.ann);
  await venue.block(3);
  const dropped = venue.pay(ann, "2");
  venue.pay(ann, "3");
  await venue.block();
  venue.venue.accept({ kind: "reorganise_chain", chain: NAME, depth: 1, drop: [dropped] });
  await venue.round();
  assert.deepEqual(venue.deposits(), ["20000000000 ETH cancelled", "30000000000 ETH finished"]);
  assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "3.0000000000 + 0.0000000000");
  assert.deepEqual(venue.complaints, []);
  venue.venue.assertRepeatable();
});

test("a withdrawal that a reorganisation drops is sent again as it was signed, and paid once", async () => {
  const venue = await SimulatedVenue.open();
  await venue.fund();
  const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1", "outside");
  await venue.block();
  const [payment] = venue.book.all();
  const txId = payment?.signed[0]?.txId as string;
  assert.equal(venue.status(withdrawId), "confirming");
  venue.venue.accept({ kind: "reorganise_chain", chain: NAME, depth: 1, drop: [txId] });
  assert.deepEqual(venue.paidTo("outside"), []);
  await venue.restart();
  await venue.block(3);
  assert.deepEqual(venue.paidTo("outside"), ["9995000000"]);
  assert.equal(venue.status(withdrawId), "finished");
  await venue.block(6);
  assert.deepEqual([venue.book.all(), venue.complaints], [[], []]);
  venue.venue.assertRepeatable();
});

test("a withdrawal waits while the hot wallet is short, and its user may still take it back", async () => {
  const venue = await SimulatedVenue.open();
  venue.venue.deposit(venue.venue.ann, "ETH", "100");
  const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1", "outside");
  await venue.block(2);
  assert.equal(venue.status(withdrawId), "audited");
  assert.match(venue.worker.trouble, /too little ETH: withdrawals wait/);
  venue.venue.accept({ kind: "cancel_withdrawal", userId: venue.venue.ann, withdrawId });
  await venue.block();
  assert.deepEqual([venue.worker.trouble, venue.paidTo("outside")], ["", []]);
});

test("while withdrawals are halted none is begun, what is signed is paid, and they go on when an operator says so", async () => {
  const venue = await SimulatedVenue.open();
  await venue.fund();
  const before = venue.withdraw(venue.venue.ann, "ETH", "1", "outside");
  const later = venue.withdraw(venue.venue.ann, "ETH", "2", "elsewhere");
  let entered = 0;
  venue.onEnter = (commands) => {
    if (!commands.some(({ kind }) => kind === "sign_payment") || entered++ > 0) return;
    venue.onEnter = () => {};
    queueMicrotask(() => venue.venue.accept({ kind: "halt_withdrawals", reason: "A drill." }));
  };
  await venue.block(6);
  assert.deepEqual([venue.paidTo("outside"), venue.paidTo("elsewhere")], [["9995000000"], []]);
  assert.notEqual(venue.status(before), "audited");
  assert.equal(venue.status(later), "audited");
  assert.match(venue.worker.trouble, /Withdrawals are halted until an operator resumes them: A drill\./);
  venue.venue.accept({ kind: "resume_withdrawals", note: "Done." });
  await venue.block(6);
  assert.deepEqual([venue.paidTo("elsewhere"), venue.worker.trouble], [["19995000000"], ""]);
  assert.deepEqual(venue.complaints, []);
});

test("while nobody waits, blocks leave nothing in the log", async () => {
  const venue = await SimulatedVenue.open();
  await venue.block();
  const { seq } = venue.venue.state;
  await venue.block(20);
  assert.equal(venue.venue.state.seq - seq, 20, "ticks of the clock");
});

test("a ledger that has more than all that holds it is told", async () => {
  const venue = await SimulatedVenue.open();
  await venue.fund();
  venue.venue.deposit(venue.venue.ann, "ETH", "0.5");
  const { state } = venue.venue;
  const { chain } = venue.worker;
  const short = await reconcile(state, [chain], new Map());
  assert.equal(short.troubles.length, 1);
  assert.match(
    short.troubles[0] ?? "",
    /^The ledger has 0\.5000000000 ETH more than all that holds it: .* custody-elsewhere\.$/,
  );
  assert.equal((await reconcile(state, [chain], new Map([["ETH", "0.5"]]))).ok, true);
});

test("wherever the process dies, a withdrawal is paid once and none is lost", async () => {
  for (const when of ["before", "after"] as const) {
    for (let step = 0; ; step++) {
      const venue = await SimulatedVenue.open();
      await venue.fund();
      const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1", "outside");
      let left = step;
      venue.onEnter = (_, at) => {
        if (at !== when || left-- > 0) return;
        throw new Error("The process dies here.");
      };
      await venue.block(8).catch(() => undefined);
      const hasDied = left < 0;
      venue.onEnter = () => {};
      await venue.restart();
      await venue.block(8);
      assert.deepEqual(venue.paidTo("outside"), ["9995000000"], `died ${when} entry ${step}`);
      assert.ok(["finished", undefined].includes(venue.status(withdrawId)), `died ${when} entry ${step}`);
      venue.venue.assertRepeatable();
      if (!hasDied) break;
      assert.ok(step < 50, "a withdrawal has an end");
    }
  }
});
