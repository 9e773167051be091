/**
 * Each way in which a withdrawal that may be paid is not paid: what its operator is told meanwhile, and that it is paid
 * when the reason is gone. Where nothing but other payments or a chain that grows stands in its way, it is paid at
 * once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getAddress, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { EvmChain } from "../../src/chains/evm/evm-chain.ts";
import type { RpcNode } from "../../src/chains/evm/json-rpc.ts";
import type { Answered } from "../../src/chains/venue-link.ts";
import type { JsonCommand } from "../../src/engine/command.ts";
import { depthOf } from "../../src/engine/payments/chain-terms.ts";
import { payments } from "../../src/engine/payments/payments.ts";
import { registerChainFigures } from "../../src/venue/chain-figures.ts";
import { VenueChains, type VenueChainsOptions } from "../../src/venue/chains.ts";
import { MetricsRegistry } from "../../src/venue/metrics.ts";
import { CHAIN, PaymentsVenue } from "../support/payments-venue.ts";
import { ChainWorkerVenue } from "./chain-worker-venue.ts";
import { digest, SMALL_CHAIN_ID, SmallEvm, TOKEN, TOKEN_DECIMALS } from "./small-evm.ts";

const NAME = "EVM";
const SEED = "test test test test test test test test test test test junk";
const HOT = mnemonicToAccount(SEED);
const OUTSIDE = addressOf("outside");
const SETTINGS = { ...CHAIN, chain: NAME, withdrawalFee: "0.01" };
const ROUNDS_MAX = 60;
const PLENTY = 10n ** 24n;

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A venue at a chain in memory, over two nodes of which a test may hold, spoil or count each call. */
class WaitingVenue extends ChainWorkerVenue {
  readonly evm = new SmallEvm();
  /** Stands before the second node. */
  before: (method: string, params: readonly unknown[], truth: Call) => Promise<unknown> = (method, params, truth) =>
    truth(method, params);
  /** What refuses or throws in the place of the log, if it gives anything. */
  refuse: (command: JsonCommand) => Answered | undefined = () => undefined;
  elapsedMs = 0;

  constructor(funds = PLENTY, rpc = ["http://one.invalid", "http://two.invalid"]) {
    super(new PaymentsVenue(), NAME);
    const { venue, evm } = this;
    venue.accept({ kind: "list_asset", ccy: "ETH", scale: 10, chains: [SETTINGS] });
    venue.accept({ kind: "list_asset", ccy: "TOK", scale: 8, chains: [{ ...SETTINGS, identity: TOKEN }] });
    for (const ccy of ["ETH", "TOK"]) venue.deposit(venue.ann, ccy, "1000");
    const enter = this.link.enter.bind(this.link);
    Object.assign(this.link, {
      enter: async (commands: readonly JsonCommand[]) => {
        const refused = commands.map((command) => this.refuse(command));
        return refused.some((one) => one !== undefined) ? refused : await enter(commands);
      },
    });
    const truth: Call = (method, params) => evm.call(method, params);
    const nodes: Record<string, RpcNode> = {
      "http://one.invalid": { name: "one", call: truth },
      "http://two.invalid": { name: "two", call: (method, params) => this.before(method, params, truth) },
    };
    this.begin(
      new EvmChain({
        terms: {
          ...{ rpc, chainId: SMALL_CHAIN_ID, coin: "ETH", maxFeeGwei: 500, startBlock: 0 },
          ...{ oneNode: "hold", hot: new Map(), coldAddress: "", sweepMin: new Map() },
          ...{ pollMs: 1_000, treasuryMs: 0, staleAfterMs: 0, stuckAfterMs: 60_000 },
          decimals: new Map([["TOK", TOKEN_DECIMALS]]),
        },
        state: venue.state,
        book: this.book,
        seed: SEED,
        now: () => venue.timeMs,
        safeConfirmations: (ccy) => this.safeConfirmations(ccy),
        depth: () => depthOf(venue.state, NAME),
        connect: (url) => nodes[url] as RpcNode,
        log: { warn: () => {} },
      }),
      () => this.elapsedMs,
    );
    if (funds > 0n) evm.pay(HOT.address, funds);
    evm.payToken(HOT.address, 10n ** 12n);
    evm.mine();
  }

  ask(ccy = "ETH", to = OUTSIDE): number {
    return this.withdraw(this.venue.ann, ccy, "1.5", to);
  }

  async rounds(count: number): Promise<void> {
    for (let round = 0; round < count; round++) {
      this.evm.mine();
      await this.round();
    }
  }

  /** Plays until all of them are finished. */
  async paid(...withdrawIds: number[]): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if (withdrawIds.every((id) => ["finished", undefined].includes(this.status(id)))) return;
      await this.rounds(1);
    }
    assert.fail(`${withdrawIds.map((id) => this.status(id))} after ${ROUNDS_MAX} rounds: ${this.worker.trouble}`);
  }
}

interface Way {
  readonly name: string;
  readonly funds?: bigint;
  readonly ccy?: string;
  /** Brings it about, when the withdrawal has been asked for; gives what ends it. */
  readonly begin: (venue: WaitingVenue) => () => void;
  readonly says: RegExp;
}

const WAYS: readonly Way[] = [
  {
    name: "an operator has halted withdrawals, also while the hot wallet is empty",
    funds: 0n,
    begin: (world) => {
      world.venue.accept({ kind: "halt_withdrawals", reason: "A drill." });
      return () => {
        world.venue.accept({ kind: "resume_withdrawals", note: "It is over." });
        world.evm.pay(HOT.address, PLENTY);
      };
    },
    says: /^Withdrawals are halted until an operator resumes them: A drill\./,
  },
  {
    name: "the hot wallet has too little of its currency",
    funds: 10n ** 18n,
    begin: (world) => () => void world.evm.pay(HOT.address, PLENTY),
    says: /^The hot wallet has too little ETH: withdrawals wait until 0x\w{40} is filled\.$/,
  },
  {
    name: "the hot wallet has the tokens, and no coins for their gas",
    funds: 0n,
    ccy: "TOK",
    begin: (world) => () => void world.evm.pay(HOT.address, PLENTY),
    says: /^The hot wallet has too little ETH: /,
  },
  {
    name: "one of the nodes answers with errors",
    begin: (world) => {
      world.before = () => Promise.reject(new Error("It is out of order."));
      return () => restore(world);
    },
    says: /The node two of EVM does not answer as it should: It is out of order\./,
  },
  {
    name: "one of the nodes says something else",
    begin: (world) => {
      world.before = async (method, params, truth) =>
        method === "eth_getBalance" ? "0x1" : await truth(method, params);
      return () => restore(world);
    },
    says: /The nodes of EVM do not agree on what 0x\w{40} holds of ETH/,
  },
  {
    name: "the venue refuses to begin it",
    begin: (world) => {
      const refused: Answered = { refusal: "invalid_command", detail: "Only cancels are taken." };
      world.refuse = ({ kind }) => (kind === "withdrawal_started" ? refused : undefined);
      return () => {
        world.refuse = () => undefined;
      };
    },
    says: /^withdrawal 1 waits: the venue refuses it: Only cancels are taken\.$/,
  },
  {
    name: "its currency is listed without a contract",
    ccy: "TOK",
    begin: (world) => {
      const list = (identity: string) =>
        world.venue.accept({ kind: "set_asset_chain", ccy: "TOK", settings: { ...SETTINGS, identity } });
      list("");
      return () => void list(TOKEN);
    },
    says: /^withdrawal 1 waits: TOK does not move on EVM: the listing names no contract of it\.$/,
  },
];

for (const { name, funds, ccy, begin, says } of WAYS) {
  test(`a withdrawal waits, the operator is told why, and it is paid afterwards: ${name}`, async () => {
    const world = new WaitingVenue(funds);
    const withdrawId = world.ask(ccy);
    const end = begin(world);
    await world.rounds(3);
    assert.equal(world.status(withdrawId), "audited");
    assert.match(world.worker.trouble, says);
    end();
    await world.paid(withdrawId);
    assert.equal(world.worker.trouble, "");
  });
}

test("what payments wait for is told without a gap while the next round looks", async () => {
  const world = new WaitingVenue(10n ** 18n);
  world.ask();
  await world.rounds(2);
  const told = new Set<string>();
  world.before = async (method, params, truth) => {
    told.add(world.worker.trouble);
    return await truth(method, params);
  };
  await world.rounds(3);
  assert.equal(told.size, 1);
  assert.match([...told][0] ?? "", /too little ETH/);
});

test("a node that never answers is told while the round waits for it", async () => {
  const world = new WaitingVenue();
  const withdrawId = world.ask();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.before = async (method, params, truth) => {
    await promise;
    return await truth(method, params);
  };
  const round = world.round();
  world.elapsedMs += 119_000;
  assert.equal(world.worker.trouble, "");
  world.elapsedMs += 11_000;
  assert.equal(
    world.worker.trouble,
    "EVM has been asked for 130 s without an end: a node answers slowly, or not at all.",
  );
  resolve();
  await round;
  await world.paid(withdrawId);
  assert.equal(world.worker.trouble, "");
});

test("a chain that grows as fast as it is read keeps no payment waiting, and is told as being behind", async () => {
  const world = new WaitingVenue();
  const withdrawId = world.ask();
  let grows = true;
  for (let block = 0; block < 40; block++) world.evm.mine();
  world.before = async (method, params, truth) => {
    // As many blocks as are read with the next call for them.
    if (grows && method === "eth_chainId") for (let block = 0; block < 32; block++) world.evm.mine();
    return await truth(method, params);
  };
  await world.round();
  assert.match(world.worker.trouble, /^EVM is read up to block [\d,]+, and goes on behind it\.$/);
  assert.equal(world.status(withdrawId), "confirming");
  assert.equal(world.worker.isCurrent, false, "what the chain holds is not compared meanwhile");
  grows = false;
  await world.paid(withdrawId);
  assert.deepEqual([world.worker.trouble, world.worker.isCurrent], ["", true]);
});

test("with a node that fails every so often the chain is read on, and payments are made", async () => {
  const world = new WaitingVenue();
  const withdrawId = world.ask();
  for (let block = 0; block < 300; block++) world.evm.mine();
  let calls = 0;
  world.before = async (method, params, truth) => {
    if (++calls % 23 === 0) throw new Error("Not now.");
    return await truth(method, params);
  };
  for (let round = 0; round < 100 && world.worker.height < 300; round++) await world.round();
  assert.ok(world.worker.height >= 300, world.worker.trouble);
  await world.paid(withdrawId);
});

test("a payment about which the chain cannot be asked keeps none behind it waiting", async () => {
  const world = new WaitingVenue();
  const tokens = [world.ask("TOK"), world.ask("TOK")];
  const coins = [world.ask(), world.ask()];
  let isDeaf = true;
  world.before = async (method, params, truth) => {
    const asksToken = method === "eth_call" || JSON.stringify(params).includes(TOKEN.toLowerCase());
    if (isDeaf && asksToken && method !== "eth_getLogs") throw new Error("Of this contract nothing is known.");
    return await truth(method, params);
  };
  await world.paid(...coins);
  assert.deepEqual(
    tokens.map((id) => world.status(id)),
    ["audited", "audited"],
  );
  assert.match(world.worker.trouble, /Of this contract nothing is known\./);
  isDeaf = false;
  await world.paid(...tokens);
  assert.equal(world.worker.trouble, "");
});

test("as many payments as may wait are looked at in parts, and deposits are seen in between", async () => {
  const world = new WaitingVenue(10n ** 18n);
  const { venue } = world;
  const ids: number[] = [];
  for (let user = 0; user < 6; user++) {
    const userId = venue.addUser(`payee ${user}`);
    venue.deposit(userId, "ETH", "1000");
    for (let at = 0; at < 100; at++) ids.push(world.withdraw(userId, "ETH", "1.5", OUTSIDE));
  }
  let asked = 0;
  world.before = async (method, params, truth) => {
    if (method === "eth_getBalance") asked++;
    return await truth(method, params);
  };
  await world.rounds(1);
  assert.ok(asked > 400 && asked <= 500, `${asked} payments were looked at`);
  assert.match(world.worker.trouble, /too little ETH/);
  world.evm.pay(HOT.address, PLENTY);
  await world.rounds(1);
  // The next round began behind them.
  assert.deepEqual([world.status(ids[0] as number), world.status(ids[500] as number)], ["audited", "confirming"]);
});

test("a payment that cannot be followed keeps the others from nothing", async () => {
  const world = new WaitingVenue();
  const ids = [world.ask(), world.ask(), world.ask()];
  await world.rounds(1);
  const [first] = world.book.all();
  const txId = first?.signed[0]?.txId;
  let isDeaf = true;
  world.before = async (method, params, truth) => {
    if (isDeaf && params[0] === txId) throw new Error("Of this payment nothing is known.");
    return await truth(method, params);
  };
  await world.paid(...ids.slice(1));
  assert.equal(world.status(ids[0] as number), "confirming");
  isDeaf = false;
  await world.paid(...ids);
});

test("blocks that the log did not take are read again, and what was paid in them is credited", async () => {
  const world = new WaitingVenue();
  const address = await world.address(world.venue.ann);
  await world.rounds(1);
  world.evm.pay(address, 10n ** 18n);
  world.evm.mine();
  world.refuse = () => {
    throw new Error("The venue stands still.");
  };
  await world.round();
  assert.match(world.worker.trouble, /The venue stands still\./);
  world.refuse = () => undefined;
  await world.rounds(4);
  assert.equal(world.venue.balance(world.venue.ann, "ETH"), "1001.0000000000 + 0.0000000000");
});

test("a deposit that the venue refuses is told to the log of the process with all that is known of it", async () => {
  const world = new WaitingVenue();
  const address = await world.address(world.venue.ann);
  const refused: Answered = { refusal: "invalid_command", detail: "There is too much of it." };
  world.refuse = ({ kind }) => (kind === "deposit_seen" ? refused : undefined);
  const txId = world.evm.pay(address, 10n ** 18n);
  await world.rounds(1);
  const [complaint = ""] = world.complaints;
  assert.match(complaint, /^the venue refused deposit_seen/);
  for (const part of [txId, address, "There is too much of it."]) assert.ok(complaint.includes(part), complaint);
});

test("what a single node calls failed is not given back, and the operator is told", async () => {
  const world = new WaitingVenue(PLENTY, ["http://two.invalid"]);
  const withdrawId = world.ask();
  world.before = async (method, params, truth) => {
    const answer = await truth(method, params);
    return method === "eth_getTransactionReceipt" && answer !== null
      ? { ...(answer as object), status: "0x0" }
      : answer;
  };
  await world.rounds(6);
  assert.equal(world.status(withdrawId), "confirming");
  assert.match(
    world.worker.trouble,
    /^withdrawal 1 waits: a single node says that 0x\w{64} failed\. Nothing is given back/,
  );
  restore(world);
  await world.paid(withdrawId);
});

test("once a stranger has used a nonce of the hot wallet nothing more is signed, and the operator is told", async () => {
  const world = new WaitingVenue();
  const before = world.ask();
  world.before = async (method, params, truth) => {
    if (method === "eth_sendRawTransaction") throw new Error("It is not taken.");
    return await truth(method, params);
  };
  const taken = world.evm.call.bind(world.evm);
  Object.assign(world.evm, {
    call: (method: string, params: readonly unknown[]) =>
      method === "eth_sendRawTransaction" ? Promise.resolve("0x") : taken(method, params),
  });
  await world.rounds(1);
  assert.equal(world.status(before), "confirming");
  const stranger = await HOT.signTransaction({
    ...{ type: "eip1559", chainId: SMALL_CHAIN_ID, nonce: 0, gas: 21_000n, to: addressOf("thief") as Hex, value: 1n },
    ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
  });
  await taken("eth_sendRawTransaction", [stranger]);
  await world.rounds(8);
  assert.match(
    world.worker.trouble,
    /was used by a transaction that this venue has not signed\. Somebody else has its keys/,
  );
  const later = world.ask();
  await world.rounds(3);
  assert.equal(world.status(later), "audited");
  assert.equal(world.book.all().length, 1);
});

test("chains that nothing leads to and that cannot be opened are told with those who wait", async () => {
  const world = new WaitingVenue();
  world.ask();
  const terms = new Map([[NAME, { rpc: ["http://127.0.0.1:1"] }]]) as unknown as VenueChainsOptions["terms"];
  const log = { error: () => {}, warn: () => {}, info: () => {} } as unknown as VenueChainsOptions["log"];
  const chainsWith = (more: Partial<VenueChainsOptions>) =>
    new VenueChains({
      ...{ state: world.venue.state, terms: new Map(), openSimulated: undefined, seed: 1, elsewhere: new Map(), log },
      sequencer: { now: () => world.venue.timeMs, ask: async () => ({}) } as never,
      vault: {
        seal: () => "sealed",
        unseal: () => {
          throw new Error("The sealing key is another one.");
        },
      } as never,
      haltsOnShortfall: true,
      ...more,
    });
  const troubleOf = (chains: VenueChains) => chains.list().map(({ chain, trouble }) => `${chain}: ${trouble}`);
  assert.deepEqual(troubleOf(chainsWith({})), [
    `${NAME}: The setting chains has no terms of ${NAME}. 1 withdrawals wait.`,
  ]);
  const cannot = chainsWith({ terms });
  await cannot.start();
  await cannot.stop();
  assert.deepEqual(troubleOf(cannot), [
    `${NAME}: ${NAME} could not be opened, and is tried again: The sealing key is another one. 1 withdrawals wait.`,
  ]);
});

test("the age of the oldest withdrawal that is not paid is a figure, whatever is in its way", async () => {
  const world = new WaitingVenue(0n);
  const registry = new MetricsRegistry();
  registerChainFigures(registry, world.venue.state, undefined);
  const age = () =>
    [...registry.samples("bourse_withdrawal_unpaid_seconds")].map(({ labels, value }) => [labels, value]);
  assert.deepEqual(age(), []);
  const withdrawId = world.ask();
  world.venue.wait(3_600_000);
  await world.rounds(1);
  world.ask();
  world.venue.wait(5_000);
  world.venue.execute({ kind: "tick" });
  assert.deepEqual(age(), [[{ chain: NAME }, 3_605]]);
  world.evm.pay(HOT.address, PLENTY);
  await world.rounds(2);
  assert.notEqual(world.status(withdrawId), "audited");
  assert.deepEqual(age(), []);
  assert.equal(payments.of(world.venue.state).withdrawals.size, 2);
});

test("all figures of one scrape come from one walk over the withdrawals", async () => {
  const world = new WaitingVenue(0n);
  world.ask();
  const { withdrawals } = payments.of(world.venue.state);
  let walks = 0;
  const values = withdrawals.values.bind(withdrawals);
  withdrawals.values = () => {
    walks++;
    return values();
  };
  const registry = new MetricsRegistry();
  const row = { chain: NAME, kind: "none" as const, height: 0, payments: 0, unswept: 0, hotAddress: "", trouble: "" };
  let lists = 0;
  registerChainFigures(registry, world.venue.state, {
    list: (waiting) => {
      lists++;
      assert.equal(waiting.get(NAME)?.count, 1);
      return [row];
    },
    held: [],
  });
  for (const scrapes of [1, 2]) {
    const text = registry.text();
    assert.match(text, /^bourse_chain_height\{/m);
    assert.match(text, /^bourse_withdrawal_unpaid_seconds\{/m);
    assert.deepEqual([walks, lists], [scrapes, scrapes]);
    // The next scrape comes in a later turn.
    await undefined;
  }
});

function restore(world: WaitingVenue): void {
  world.before = (method, params, truth) => truth(method, params);
}

function addressOf(name: string): string {
  return getAddress(`0x${digest(name).slice(26)}` as Hex);
}
