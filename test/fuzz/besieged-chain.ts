/**
 * An EVM chain that a venue in a process of its own reaches over two nodes, of which the first lies. Nobody may be
 * credited without a payment, and no withdrawal may be paid twice, or paid and given back.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { getAddress, type Hex } from "viem";
import { RpcError, type RpcNode } from "../../src/chains/evm/json-rpc.ts";
import { Liar } from "../chains/liar.ts";
import { digest, SMALL_CHAIN_ID, SmallEvm, TOKEN, TOKEN_DECIMALS } from "../chains/small-evm.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { runningLimit } from "../support/running-time.ts";
import type { VenueProcess } from "../support/venue-process.ts";
import { xorshift } from "../support/xorshift.ts";

const CHAIN = "BESIEGED";
const [COIN, TOK] = ["SIEGECOIN", "SIEGETOK"];
const COIN_DECIMALS = 18;
const FEE = "0.01";
const POLL_MS = 100;
/** From one action to the next: the venue looks at the chain about once in it. */
const ROUND_MS = 100;
/** A user may have 100 open. */
const OPEN_MAX = 20;
const END_MS = 120_000;
/** Of a user at most 100 are open; a page has at most 1,000. */
const NEWEST = 100;
const PAGE = 1_000;
/**
 * Busy, not available, not in time, expired, of another time, and too many requests: nothing was wrong with the
 * question.
 */
const AGAIN = [3008, 4001, 4002, 4010, 4017, 4213];
const AGAIN_MS = 200;
/** Of the end of what the venue wrote to its log; enough for its last troubles. */
const COMPLAINT_CHARS = 4_000;
/** No transfer of coins or tokens reaches it. */
const FROZEN = addressOf("frozen");
const OUTSIDE = [FROZEN, ...Array.from({ length: 4 }, (_, at) => addressOf(`outside ${at}`))];
const ENDED = ["finished", "failed", "cancelled"];

export interface ChainReport {
  readonly rounds: number;
  readonly lies: number;
  readonly deposits: number;
  readonly withdrawals: number;
}

interface Withdrawal {
  readonly withdraw_id: number;
  readonly ccy: string;
  readonly status: string;
  readonly actual_amount: string;
  readonly to_address: string;
  readonly tx_id: string;
}

export class BesiegedChain {
  /** What the venue is started with. */
  readonly options: readonly string[];
  readonly #evm = new SmallEvm();
  readonly #random: () => number;
  readonly #liar: Liar;
  readonly #friends = [addressOf("friend")];
  readonly #nodes: readonly NodeServer[];
  #client: ApiClient | undefined;
  #venue: VenueProcess | undefined;
  #addresses: readonly string[] = [];
  #asked = 0;

  static async open(seed: number): Promise<BesiegedChain> {
    const evm = new SmallEvm();
    evm.frozen.add(FROZEN);
    const random = xorshift(seed);
    const friends = [addressOf("friend")];
    const liar = new Liar({ truth: evm, random, friends });
    const honest: RpcNode = { name: "honest", call: (method, params) => evm.call(method, params) };
    const nodes = await Promise.all([liar, honest].map((node) => NodeServer.open(node)));
    return new BesiegedChain(evm, random, liar, friends, nodes);
  }

  private constructor(
    evm: SmallEvm,
    random: () => number,
    liar: Liar,
    friends: string[],
    nodes: readonly NodeServer[],
  ) {
    this.#evm = evm;
    this.#random = random;
    this.#liar = liar;
    this.#friends = friends;
    this.#nodes = nodes;
    const terms = {
      ...{ rpc: nodes.map(({ url }) => url), chain_id: SMALL_CHAIN_ID, coin: COIN, start_block: 0 },
      ...{ poll_ms: POLL_MS, sweep_ms: 5 * POLL_MS, stale_after_ms: 0, stuck_after_ms: 60_000 },
      decimals: { [TOK]: TOKEN_DECIMALS },
    };
    this.options = ["--chains", JSON.stringify({ [CHAIN]: terms })];
  }

  /** Connections that venues hold to the nodes. */
  async connections(): Promise<number> {
    const counts = await Promise.all(this.#nodes.map((node) => node.connections()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Lists what moves on the chain, and makes a user who pays in and withdraws. */
  async settle(venue: VenueProcess, now: () => number): Promise<void> {
    const listed = {
      ...{ chain: CHAIN, min_deposit_amount: "0", min_withdraw_amount: "0.01", withdrawal_fee: FEE },
      ...{ safe_confirmations: 2, irreversible_confirmations: 4, withdrawal_precision: 6 },
      ...{ deposit_enabled: true, withdraw_enabled: true },
    };
    await venue.admin("/admin/assets", { ccy: COIN, scale: 10, chains: [listed] });
    await venue.admin("/admin/assets", { ccy: TOK, scale: 8, chains: [{ ...listed, identity: TOKEN }] });
    const { user_id } = await venue.admin("/admin/users", { name: "payee" });
    for (const ccy of [COIN, TOK]) {
      await venue.admin("/admin/deposits", { user_id, ccy, amount: "1000000", note: "to be withdrawn" });
    }
    const key = await venue.admin("/admin/api-keys", { user_id, permissions: ["read", "trade", "withdraw"] });
    const client = venue.clientAt(now, { accessId: key.access_id, secret: key.secret_key });
    this.#client = client;
    this.#venue = venue;
    const hot = await this.#hotAddress(venue);
    for (const address of OUTSIDE) await venue.admin("/admin/withdraw-addresses", { user_id, chain: CHAIN, address });
    this.#evm.pay(hot, 10n ** 26n);
    this.#evm.payToken(hot, 10n ** 16n);
    this.#evm.mine();
    const { address } = await client.read("/v2/assets/deposit-address", { ccy: COIN, chain: CHAIN });
    this.#addresses = [getAddress(address)];
    this.#friends.push(...this.#addresses);
  }

  /** Plays as long as `goOn`, behind so many rounds; gives how many there were. */
  async play(goOn: (rounds: number) => boolean): Promise<number> {
    let rounds = 0;
    for (; goOn(rounds); rounds++) {
      this.#liar.share = this.#pick([0, 0.02, 0.1, 0.5, 1]);
      await this.#action();
      if (this.#random() < 0.5) this.#evm.mine();
      await pause(ROUND_MS);
    }
    return rounds;
  }

  /**
   * Lets all that is under way come to its end, and holds what the venue says against the chain. Throws at what must
   * never be. `lift` ends what keeps the venue from paying because an operator wants it, or has to look.
   */
  async compare(rounds: number, lift: () => Promise<void>): Promise<ChainReport> {
    this.#liar.share = 0;
    const withdrawals = await this.#ended(lift);
    const deposits = (await this.#all("/v2/assets/deposit-history")) as readonly Record<string, string>[];
    for (const { status, ccy = "", tx_id, to_address, amount = "" } of deposits) {
      if (status !== "finished") continue;
      const units = unitsOf(ccy, amount);
      const isPaid = [0, 1].some((output) => this.#evm.everPaid.has(`${tx_id} ${output} ${to_address} ${units}`));
      if (!isPaid) throw new Error(`${amount} ${ccy} were credited by ${tx_id}, which paid nothing.`);
    }
    const paid = this.#paid();
    for (const { withdraw_id, ccy, status, actual_amount, to_address } of withdrawals) {
      // Every amount is another one, so that a payment names its withdrawal.
      const times = paid.get(`${to_address} ${unitsOf(ccy, actual_amount)}`) ?? 0;
      const expected = status === "finished" ? 1 : 0;
      if (times !== expected) throw new Error(`Withdrawal ${withdraw_id} is ${status} and was paid ${times} times.`);
    }
    const told = [...this.#liar.told.values()].reduce((sum, times) => sum + times, 0);
    return { rounds, lies: told, deposits: deposits.length, withdrawals: withdrawals.length };
  }

  stop(): void {
    for (const node of this.#nodes) node.stop();
  }

  async #action(): Promise<void> {
    const action = this.#random();
    const to = this.#pick(this.#addresses);
    if (action < 0.2) this.#evm.pay(to, BigInt(1 + Math.floor(this.#random() * 1e6)) * 10n ** 13n);
    else if (action < 0.3) this.#evm.payToken(to, BigInt(1 + Math.floor(this.#random() * 1e9)));
    else if (action < 0.5 && (await this.#open()).length < OPEN_MAX) await this.#withdraw();
    else if (action < 0.55) {
      this.#evm.reorganise(1 + Math.floor(this.#random() * 3), () => this.#random() < 0.5);
    }
  }

  async #withdraw(): Promise<void> {
    const body = { chain: CHAIN, to_address: this.#pick(OUTSIDE), withdraw_method: "on_chain" };
    const amount = (1 + ++this.#asked / 1e6).toFixed(6);
    // It may be refused: withdrawals may have been halted, or the time moved.
    await this.#own.post("/v2/assets/withdraw", { ...body, ccy: this.#pick([COIN, TOK]), amount });
  }

  /**
   * All withdrawals, once none of them is on its way. However long the venue takes, as long as it gets on: it may have
   * to read all blocks that the liar kept from it, on a machine that does something else besides.
   */
  async #ended(lift: () => Promise<void>): Promise<readonly Withdrawal[]> {
    const { height: last } = this.#evm.head;
    let before = "";
    let limit = runningLimit(END_MS);
    for (;;) {
      await lift();
      const [open, { height }] = await Promise.all([this.#open(), this.#row()]);
      if (open.length === 0) {
        limit.end();
        return (await this.#all("/v2/assets/withdraw")) as readonly Withdrawal[];
      }
      const now = JSON.stringify([Math.min(height, last), open]);
      if (now !== before) {
        limit.end();
        limit = runningLimit(END_MS);
        before = now;
      } else if (limit.signal.aborted) {
        const what = `${open.length} withdrawals do not end, such as ${JSON.stringify(open[0])}`;
        throw new Error(`${what}. The venue says: ${await this.#reasons()}`);
      }
      // Blocks that came faster than it reads would keep it from its end.
      if (height >= this.#evm.head.height) this.#evm.mine();
      await pause(ROUND_MS);
    }
  }

  /** What the venue tells its operator of the chain. */
  async #row(): Promise<{ readonly height: number }> {
    const answer = await this.#venue?.admin("/admin/chains");
    return answer.chains.find(({ chain }: { readonly chain: string }) => chain === CHAIN);
  }

  /** What the venue itself tells its operator of payments that wait. */
  async #reasons(): Promise<string> {
    const [own, { withdrawals_halted }] = await Promise.all([this.#row(), this.#venue?.admin("/admin/status")]);
    return JSON.stringify({
      chain: own,
      withdrawals_halted,
      complaints: this.#venue?.complaints().slice(-COMPLAINT_CHARS),
    });
  }

  /** The newest withdrawals that have not ended. */
  async #open(): Promise<readonly Withdrawal[]> {
    const { data } = await this.#read("/v2/assets/withdraw", { limit: NEWEST });
    return (data as readonly Withdrawal[]).filter(({ status }) => !ENDED.includes(status));
  }

  async #all(path: string): Promise<readonly unknown[]> {
    const rows: unknown[] = [];
    for (let page = 1; ; page++) {
      const { data, pagination } = await this.#read(path, { page, limit: PAGE });
      rows.push(...data);
      if (pagination?.has_next !== true) return rows;
    }
  }

  /** Asks again where the venue says that it may be: a question changes nothing. */
  async #read(path: string, query: Readonly<Record<string, number>>): Promise<Envelope> {
    for (;;) {
      const answer = await this.#own.get(path, query);
      if (!AGAIN.includes(answer.code)) {
        if (answer.code !== 0) throw new Error(`${path}: ${answer.code} ${answer.message}`);
        return answer;
      }
      await pause(AGAIN_MS);
    }
  }

  /** How often each amount was paid to each address outside. */
  #paid(): ReadonlyMap<string, number> {
    const paid = new Map<string, number>();
    for (const { transaction, isSuccess } of this.#evm.blocks.flatMap(({ mined }) => mined)) {
      if (!isSuccess || transaction.nonce === undefined) continue;
      const { to, units } = transaction.token ?? { to: transaction.to, units: transaction.value };
      const what = `${to} ${units}`;
      paid.set(what, (paid.get(what) ?? 0) + 1);
    }
    return paid;
  }

  async #hotAddress(venue: VenueProcess): Promise<string> {
    for (const end = performance.now() + END_MS; performance.now() < end; await pause(POLL_MS)) {
      const { chains } = await venue.admin("/admin/chains");
      const own = chains.find((row: { chain: string }) => row.chain === CHAIN);
      if (own?.hot_address) return getAddress(own.hot_address);
    }
    throw new Error("The chain was not opened.");
  }

  get #own(): ApiClient {
    if (this.#client === undefined) throw new Error("Nothing is listed on the chain yet.");
    return this.#client;
  }

  #pick<One>(from: readonly One[]): One {
    return from[Math.floor(this.#random() * from.length)] as One;
  }
}

/** A node, as a venue reaches it. */
class NodeServer {
  readonly #server: Server;

  static async open(node: RpcNode): Promise<NodeServer> {
    const server = createServer((request, response) => {
      const answered = text(request).then(async (body) => {
        const { id, method, params } = JSON.parse(body);
        const answer = await node.call(method, params).then(
          (result) => ({ result }),
          (error: unknown) => {
            if (!(error instanceof RpcError)) throw error;
            return { error: { code: error.code, message: error.message, data: error.data } };
          },
        );
        response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      });
      // A node that is silent.
      answered.catch(() => response.destroy());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new NodeServer(server);
  }

  private constructor(server: Server) {
    this.#server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Units of the chain that an amount of the ledger stands for. */
function unitsOf(ccy: string, amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  const decimals = ccy === COIN ? COIN_DECIMALS : TOKEN_DECIMALS;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

function addressOf(name: string): string {
  return getAddress(`0x${digest(name).slice(26)}` as Hex);
}
