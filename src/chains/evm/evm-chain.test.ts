import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Address, parseEther } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { Anvil, CHAIN_ID, NO_ANVIL } from "../../../test/chains/anvil.ts";
import { ChainWorkerVenue } from "../../../test/chains/chain-worker-venue.ts";
import { LyingNode } from "../../../test/chains/lying-node.ts";
import { CHAIN, PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { depthOf } from "../../engine/payments/chain-terms.ts";
import { payments } from "../../engine/payments/payments.ts";
import type { EvmOptions } from "../chain-terms.ts";
import { lastSigned } from "../payment-book.ts";
import { EvmChain } from "./evm-chain.ts";

const SEED = "test test test test test test test test test test test junk";
const OUTSIDE = "0x000000000000000000000000000000000000dEaD" as Address;
const NAME = "EVM";

const TERMS: Omit<EvmOptions, "rpc"> = {
  chainId: CHAIN_ID,
  coin: "ETH",
  pollMs: 100,
  treasuryMs: 0,
  staleAfterMs: 0,
  stuckAfterMs: 60_000,
  maxFeeGwei: 500,
  startBlock: 0,
  hot: new Map(),
  coldAddress: "",
  sweepMin: new Map(),
  oneNode: "trust",
  decimals: new Map(),
};

/**
 * A venue at an EVM node of its own. ETH is credited after 2 blocks, and beyond all reorganisation after 4; so is TOK,
 * a token of 6 decimals.
 */
class EvmVenue extends ChainWorkerVenue {
  readonly anvil: Anvil;
  readonly token: Address;
  terms: EvmOptions;

  constructor(anvil: Anvil, token: Address, terms: Partial<EvmOptions>) {
    super(new PaymentsVenue(), NAME);
    this.anvil = anvil;
    this.token = token;
    this.terms = { ...TERMS, rpc: [anvil.url], ...terms };
    const settings = { ...CHAIN, chain: NAME, withdrawalFee: "0.01" };
    this.venue.accept({ kind: "list_asset", ccy: "ETH", scale: 10, chains: [settings] });
    this.venue.accept({ kind: "list_asset", ccy: "TOK", scale: 8, chains: [{ ...settings, identity: token }] });
    this.restart();
  }

  static async open(t: TestContext, terms: Partial<EvmOptions> = {}): Promise<EvmVenue> {
    const anvil = await Anvil.start();
    t.after(() => anvil.stop());
    return new EvmVenue(anvil, await anvil.deployToken(), terms);
  }

  restart(terms: Partial<EvmOptions> = {}): void {
    this.terms = { ...this.terms, ...terms };
    this.begin(
      new EvmChain({
        terms: this.terms,
        state: this.venue.state,
        book: this.book,
        seed: SEED,
        now: () => this.venue.timeMs,
        safeConfirmations: (ccy) => this.safeConfirmations(ccy),
        depth: () => depthOf(this.venue.state, NAME),
        log: { warn: (details, message) => this.complaints.push(`${message} ${JSON.stringify(details)}`) },
      }),
    );
  }

  /** Two addresses of the same node, which agrees with itself. */
  get twoNodes(): readonly string[] {
    return [this.anvil.url, `${this.anvil.url}/?second`];
  }

  get hot(): Address {
    return this.worker.chain.hotAddress as Address;
  }

  /** A block, and a round after it. */
  async block(count = 1): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      await this.anvil.mine();
      await this.round();
    }
  }

  coins(address: Address): Promise<bigint> {
    return this.anvil.client.getBalance({ address });
  }

  /** Ann has money of the venue, and the hot wallet has coins. */
  async fund(coins = "10"): Promise<void> {
    this.venue.deposit(this.venue.ann, "ETH", "100");
    this.venue.deposit(this.venue.ann, "TOK", "100");
    await this.anvil.payCoins(this.hot, parseEther(coins));
    await this.anvil.payTokens(this.token, this.hot, 50_000_000n);
    await this.block();
  }
}

const options = { skip: NO_ANVIL };

test("addresses follow from the seed by the paths that wallets know, and are checksummed", options, async (t) => {
  const venue = await EvmVenue.open(t);
  const { chain } = venue.worker;
  assert.equal(chain.hotAddress, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  assert.notEqual(await chain.address(1, 0), await chain.address(1, 1));
  assert.equal(await chain.address(2, 0), await chain.address(2, 0));
  const rows: readonly (readonly [string, boolean])[] = [
    ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", true],
    ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", true],
    ["0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266", true],
    ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267", false],
    ["0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266", false],
    ["f39Fd6e51aad88F6F4ce6aB8827279cffFb92266", false],
    ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb9226", false],
    ["", false],
  ];
  for (const [address, isOne] of rows) {
    const spelt = isOne ? "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" : undefined;
    assert.equal(chain.normalized(address), spelt, address);
  }
});

test(
  "coins and tokens that come to users are seen, confirmed and credited, and brought to the hot wallet",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    const ann = await venue.address(venue.venue.ann);
    await venue.anvil.payCoins(venue.hot, parseEther("1"));
    await venue.anvil.payCoins(ann as Address, parseEther("2.00000000009"));
    // One token, and nothing behind the point: no amount is too plain to be brought home.
    await venue.anvil.payTokens(venue.token, ann as Address, 1_000_000n);
    await venue.anvil.payTokens(venue.token, OUTSIDE, 5_000_000n);
    await venue.block();
    assert.deepEqual(venue.complaints, []);
    assert.deepEqual(venue.deposits(), ["20000000000 ETH confirming", "100000000 TOK confirming"]);
    await venue.block();
    assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "2.0000000000 + 0.0000000000");
    assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "1.00000000 + 0.00000000");
    await venue.block(20);
    assert.deepEqual(venue.complaints, []);
    assert.deepEqual(venue.book.all(), []);
    assert.equal(venue.book.known?.unswept.size, 0);
    const [holding, tokens] = await venue.worker.chain.holdings(["ETH", "TOK"]);
    assert.deepEqual([tokens?.hot, tokens?.unswept], ["1.00000000", "0.00000000"]);
    assert.match(holding?.hot ?? "", /^2\.99\d+$/);
    venue.venue.assertRepeatable();
  },
);

test(
  "a withdrawal is signed, paid and finished, coins and tokens alike, and its costs are booked",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    await venue.fund();
    const coins = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
    const tokens = venue.withdraw(venue.venue.ann, "TOK", "7.5", OUTSIDE);
    await venue.round();
    assert.deepEqual([venue.status(coins), venue.status(tokens)], ["confirming", "confirming"]);
    assert.deepEqual([venue.height(coins), venue.height(tokens)], [0, 0]);
    await venue.block();
    // Seen in the block that was just read, not one later.
    const height = Number(await venue.anvil.client.getBlockNumber({ cacheTime: 0 }));
    assert.deepEqual([venue.height(coins), venue.height(tokens)], [height, height]);
    await venue.block();
    assert.deepEqual([venue.status(coins), venue.status(tokens)], ["finished", "finished"]);
    assert.equal(await venue.coins(OUTSIDE), parseEther("1.49"));
    await venue.block(4);
    assert.deepEqual(venue.book.all(), []);
    assert.deepEqual(venue.complaints, []);
    assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "98.5000000000 + 0.0000000000");
    venue.venue.assertRepeatable();
  },
);

test("a reorganisation takes a deposit back, and a later block may bring it again", options, async (t) => {
  const venue = await EvmVenue.open(t);
  const ann = await venue.address(venue.venue.ann);
  const paid = await venue.anvil.payCoins(ann as Address, parseEther("2"));
  const raw = await venue.anvil.client.request({ method: "eth_getRawTransactionByHash", params: [paid] } as never);
  await venue.block();
  assert.deepEqual(venue.deposits(), ["20000000000 ETH confirming"]);
  await venue.anvil.reorganise(1);
  await venue.block();
  assert.deepEqual(venue.deposits(), ["20000000000 ETH cancelled"]);
  await venue.anvil.client.sendRawTransaction({ serializedTransaction: raw as never });
  await venue.block(2);
  assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "2.0000000000 + 0.0000000000");
  assert.deepEqual(venue.complaints, []);
  venue.venue.assertRepeatable();
});

test("a payment that a reorganisation takes back is sent again as it was signed, and paid once", options, async (t) => {
  const venue = await EvmVenue.open(t);
  await venue.fund();
  const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
  await venue.block();
  const [payment] = venue.book.all();
  const { txId } = lastSigned(payment as never);
  await venue.block();
  assert.equal(venue.status(withdrawId), "confirming");
  await venue.anvil.reorganise(2);
  assert.equal(await venue.coins(OUTSIDE), 0n);
  // The network may have kept it; a venue that has just been started hands it over at once.
  venue.restart();
  await venue.block(5);
  assert.equal(await venue.coins(OUTSIDE), parseEther("1.49"));
  assert.equal(venue.status(withdrawId), "finished");
  assert.equal(lastSigned(payment as never).txId, txId);
  assert.deepEqual(venue.complaints, []);
  venue.venue.assertRepeatable();
});

test(
  "a payment that waits too long offers more with the same nonce, and one of the two is paid",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    await venue.fund();
    const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
    await venue.round();
    venue.venue.wait(61_000);
    await venue.round();
    await venue.round();
    const [payment] = venue.book.all();
    assert.equal(payment?.signed.length, 2);
    await venue.block(2);
    assert.equal(venue.status(withdrawId), "finished");
    await venue.block(4);
    assert.equal(await venue.coins(OUTSIDE), parseEther("1.49"));
    assert.equal(await venue.anvil.client.getTransactionCount({ address: venue.hot }), 1);
    assert.deepEqual(venue.complaints, []);
  },
);

test("a withdrawal waits while the hot wallet is short, and operators are told", options, async (t) => {
  const venue = await EvmVenue.open(t);
  await venue.fund("1");
  const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
  await venue.round();
  assert.equal(venue.status(withdrawId), "audited");
  assert.match(venue.worker.trouble, /hot wallet has too little ETH/);
  await venue.anvil.payCoins(venue.hot, parseEther("1"));
  await venue.block(3);
  assert.equal(venue.worker.trouble, "");
  assert.equal(venue.status(withdrawId), "finished");
});

test(
  "a token that refuses the receiver is refused before anything is signed, and the user has it back",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    await venue.fund();
    await venue.anvil.freeze(venue.token, OUTSIDE);
    const withdrawId = venue.withdraw(venue.venue.ann, "TOK", "7.5", OUTSIDE);
    await venue.block();
    assert.match(venue.worker.trouble, /^withdrawal \d+ waits: EVM would not carry the payment out/);
    assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "92.50000000 + 7.50000000", "one node is not enough");
    venue.restart({ rpc: venue.twoNodes });
    await venue.block();
    assert.equal(venue.worker.trouble, "");
    assert.deepEqual(venue.book.all(), []);
    assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "100.00000000 + 0.00000000");
    assert.notEqual(venue.status(withdrawId), "finished");
  },
);

test("a transaction that fails in its block is given back when it is deep enough", options, async (t) => {
  const venue = await EvmVenue.open(t);
  await venue.fund();
  venue.withdraw(venue.venue.ann, "TOK", "7.5", OUTSIDE);
  await venue.round();
  // Between signature and block the receiver is frozen; the freeze offers more and comes first.
  const [payment] = venue.book.all();
  await venue.anvil.client.request({ method: "anvil_dropAllTransactions", params: [] } as never);
  await venue.anvil.freeze(venue.token, OUTSIDE);
  await venue.anvil.client.sendRawTransaction({ serializedTransaction: lastSigned(payment as never).raw as never });
  await venue.block();
  assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "92.50000000 + 7.50000000");
  await venue.block();
  assert.match(venue.worker.trouble, /a single node says that 0x[0-9a-f]{64} failed/);
  assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "92.50000000 + 7.50000000", "one node is not enough");
  venue.restart({ rpc: venue.twoNodes });
  await venue.round();
  assert.equal(venue.worker.trouble, "");
  assert.equal(venue.venue.balance(venue.venue.ann, "TOK"), "100.00000000 + 0.00000000");
  assert.deepEqual(venue.book.all(), []);
  await venue.block(4);
  assert.equal(await venue.coins(OUTSIDE), 0n);
  venue.venue.assertRepeatable();
});

test("what is too much in the hot wallet goes to cold storage", options, async (t) => {
  const cold = "0x00000000000000000000000000000000000c01D0" as Address;
  const venue = await EvmVenue.open(t, {
    coldAddress: cold.toLowerCase(),
    hot: new Map([["ETH", { least: "0", most: "3", target: "2" }]]),
  });
  await venue.fund("10");
  await venue.block(8);
  assert.equal(await venue.coins(cold), parseEther("8"));
  assert.deepEqual(venue.book.all(), []);
  assert.deepEqual(venue.complaints, []);
});

test(
  "a node of another chain, a silent one and two that differ hold everything up, and nothing is lost",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    await venue.fund();
    const ann = await venue.address(venue.venue.ann);
    const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
    await venue.anvil.payCoins(ann as Address, parseEther("2"));
    await venue.anvil.mine();
    const other = await Anvil.start();
    t.after(() => other.stop());
    await other.mine(20);
    for (const [terms, trouble] of [
      [{ chainId: 1 }, /is one of chain 31337, not of chain 1/],
      [{ rpc: ["http://127.0.0.1:9"] }, /does not answer as it should/],
      [{ rpc: [venue.anvil.url, other.url] }, /do not agree on block/],
      [{ rpc: [venue.anvil.url, "http://127.0.0.1:9"] }, /does not answer as it should/],
    ] as const) {
      venue.restart({ chainId: CHAIN_ID, rpc: [venue.anvil.url], ...terms });
      await venue.round();
      assert.match(venue.worker.trouble, trouble);
      assert.deepEqual([venue.status(withdrawId), venue.deposits(), venue.book.all()], ["audited", [], []]);
    }
    venue.restart({ rpc: [venue.anvil.url], chainId: CHAIN_ID });
    await venue.block(3);
    assert.equal(venue.worker.trouble, "");
    assert.deepEqual([venue.status(withdrawId), await venue.coins(OUTSIDE)], ["finished", parseEther("1.49")]);
  },
);

test(
  "a chain that was much longer, and a node that falls behind, credit nothing before its time",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    const ann = await venue.address(venue.venue.ann);
    await venue.block(10);
    await venue.anvil.payCoins(ann as Address, parseEther("2"));
    await venue.block();
    await venue.anvil.rollback(3);
    await venue.round();
    assert.deepEqual(venue.deposits(), ["20000000000 ETH confirming"], "a shorter chain says nothing yet");
    await venue.anvil.rollback(4);
    await venue.round();
    assert.match(venue.worker.trouble, /was read before/);
    await venue.anvil.mine(10);
    await venue.round();
    assert.deepEqual(venue.deposits(), ["20000000000 ETH cancelled"]);
  },
);

test(
  "somebody else who uses the key of the hot wallet is told, and no payment is signed with his nonce",
  options,
  async (t) => {
    const venue = await EvmVenue.open(t);
    await venue.fund();
    const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
    await venue.round();
    const { client } = venue.anvil;
    await client.request({ method: "anvil_dropAllTransactions", params: [] } as never);
    const account = mnemonicToAccount(SEED);
    const fees = { gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
    const other = { type: "eip1559", chainId: CHAIN_ID, to: venue.hot, value: 1n, nonce: 0, ...fees } as const;
    await client.sendRawTransaction({ serializedTransaction: await account.signTransaction(other) });
    await venue.block(6);
    assert.match(venue.worker.trouble, /nonce 0 of .* was used by a transaction that this venue has not signed/);
    assert.equal(venue.status(withdrawId), "confirming");
    assert.equal(await venue.coins(OUTSIDE), 0n);
  },
);

test("what one node alone tells of is credited only when an operator assigns it", options, async (t) => {
  const venue = await EvmVenue.open(t, { oneNode: "hold", decimals: new Map([["TOK", 6]]) });
  const ann = await venue.address(venue.venue.ann);
  await venue.anvil.payCoins(ann as Address, parseEther("2"));
  await venue.block(3);
  assert.deepEqual(venue.deposits(), ["20000000000 ETH exception"]);
  const [depositId] = payments.of(venue.venue.state).deposits.keys();
  const decision = { depositId: depositId as number, assignTo: venue.venue.ann, note: "Seen with another node." };
  venue.venue.accept({ kind: "resolve_deposit", ...decision });
  assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "2.0000000000 + 0.0000000000");
  venue.venue.assertRepeatable();
});

test("one node's word on a token's decimals moves none of it, unless the settings trust it", options, async (t) => {
  const venue = await EvmVenue.open(t, { oneNode: "hold" });
  await venue.round();
  assert.match(venue.worker.trouble, /says how many decimals TOK has: name them in the term decimals/);
  venue.restart({ rpc: venue.twoNodes });
  await venue.round();
  assert.equal(venue.worker.trouble, "");
});

for (const place of ["first", "second"] as const) {
  test(`a ${place} node that invents a payment is credited nothing, and honest ones go on`, options, async (t) => {
    const venue = await EvmVenue.open(t);
    const liar = await LyingNode.before(venue.anvil.url);
    t.after(() => liar.stop());
    const rpc = place === "first" ? [liar.url, venue.anvil.url] : [venue.anvil.url, liar.url];
    venue.restart({ rpc });
    const ann = await venue.address(venue.venue.ann);
    const invented = `0x${"ab".repeat(32)}`;
    const receipt = { transactionHash: invented, status: "0x1", logs: [], logsBloom: `0x${"00".repeat(256)}` };
    let block: Record<string, unknown> = {};
    liar.lie = ({ method, params }, truth) => {
      if (method === "eth_getTransactionReceipt" && params[0] === invented) {
        const { number: blockNumber, hash: blockHash } = block;
        return { ...receipt, blockNumber, blockHash, gasUsed: "0x5208", effectiveGasPrice: "0x1", type: "0x2" };
      }
      if (method !== "eth_getBlockByNumber" || params[1] !== true) return truth;
      if ((truth as typeof block)["number"] !== "0x2") return truth;
      block = truth as typeof block;
      const value = `0x${parseEther("5000").toString(16)}`;
      const payment = { hash: invented, from: OUTSIDE, to: ann, value, type: "0x2", nonce: "0x0", gas: "0x5208" };
      return { ...block, transactions: [...(block["transactions"] as unknown[]), payment] };
    };
    await venue.block(4);
    assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "0.0000000000 + 0.0000000000");
    assert.match(venue.worker.trouble, /do not agree on/);
    liar.lie = (_, truth) => truth;
    await venue.anvil.payCoins(ann as Address, parseEther("2"));
    await venue.block(2);
    assert.equal(venue.worker.trouble, "");
    assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "2.0000000000 + 0.0000000000");
  });

  test(`a ${place} node that calls a payment failed gives nothing back`, options, async (t) => {
    const venue = await EvmVenue.open(t);
    const liar = await LyingNode.before(venue.anvil.url);
    t.after(() => liar.stop());
    venue.restart({ rpc: place === "first" ? [liar.url, venue.anvil.url] : [venue.anvil.url, liar.url] });
    await venue.fund();
    const withdrawId = venue.withdraw(venue.venue.ann, "ETH", "1.5", OUTSIDE);
    await venue.round();
    liar.lie = ({ method }, truth) =>
      method === "eth_getTransactionReceipt" && truth !== null ? { ...(truth as object), status: "0x0" } : truth;
    await venue.block(3);
    assert.equal(await venue.coins(OUTSIDE), parseEther("1.49"));
    assert.equal(venue.venue.balance(venue.venue.ann, "ETH"), "98.5000000000 + 1.5000000000");
    assert.equal(venue.status(withdrawId), "confirming");
    liar.lie = (_, truth) => truth;
    await venue.round();
    assert.equal(venue.status(withdrawId), "finished");
  });
}
