/** Cases over HTTP: every endpoint of the contract with parameters, headers and bytes that are more or less spoilt. */
import { createHmac } from "node:crypto";
import { type Contract, type Endpoint, endpointName } from "../../src/gateway/current/contract.ts";
import type { Chance } from "./chance.ts";
import { Grammar, objectText, type Pair } from "./grammar.ts";
import { HttpJudge } from "./judge.ts";
import { ODD_BODIES } from "./odd-values.ts";
import { RawClient } from "./raw-client.ts";
import { bytesOf, curlOf, dataOf, mangled, printfOf, type Request } from "./request.ts";
import type { FuzzCase, FuzzSource, Verdict } from "./source.ts";
import type { Signer, World } from "./world.ts";

const LONGEST_TARGET = 12_000;
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"];

/** Endpoints one after the other, round and round. */
class InTurn {
  readonly #endpoints: readonly Endpoint[];
  #at = 0;

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
  }

  next(): Endpoint {
    return this.#endpoints[this.#at++ % this.#endpoints.length] as Endpoint;
  }
}

export class HttpSource implements FuzzSource {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #grammar: Grammar;
  readonly #judge: HttpJudge;
  readonly #client: RawClient;
  readonly #base: URL;
  readonly #all: InTurn;
  readonly #served: InTurn;
  readonly #orders: InTurn;

  constructor(contract: Contract, world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    this.#grammar = new Grammar(contract, world, chance);
    this.#judge = new HttpJudge(contract);
    this.#base = new URL(world.venue.url);
    this.#client = new RawClient(Number(this.#base.port));
    const served = contract.endpoints.filter((endpoint) => world.served.has(endpointName(endpoint)));
    this.#all = new InTurn(contract.endpoints);
    this.#served = new InTurn(served);
    this.#orders = new InTurn(served.filter(({ path }) => /\/(batch-)?(stop-)?order$/.test(path)));
  }

  next(): FuzzCase {
    const endpoint = this.#endpoint();
    const request = this.#request(endpoint);
    return this.#chance.is(0.15) && request.method !== "HEAD"
      ? this.#rawCase(endpoint, request)
      : this.#case(endpoint, request);
  }

  close(): void {
    this.#client.close();
  }

  /** Mostly one served endpoint after the other, so that none is forgotten; orders more often, to have things to ask about. */
  #endpoint(): Endpoint {
    const which = this.#chance.below(20);
    const turn = which < 4 ? this.#orders : which < 17 ? this.#served : this.#all;
    return turn.next();
  }

  #case(endpoint: Endpoint, request: Request): FuzzCase {
    const bodyless = request.method === "HEAD";
    // What is asked of an endpoint in the wrong way may be answered by another one.
    const asked = request.method === endpoint.method && !request.target.includes("//") ? endpoint : undefined;
    return {
      name: endpointName(endpoint),
      play: async (): Promise<Verdict> => {
        const conversation = await this.#client.ask(bytesOf(request, this.#base.host), bodyless);
        const verdict = this.#judge.judge(conversation, asked, bodyless);
        if (!verdict.refused) this.#world.learn(this.#chance, dataOf(conversation.answers.at(-1)?.body));
        return verdict;
      },
      reproduction: () => curlOf(request, this.#base.origin),
    };
  }

  /** The same as bytes, with some of them changed. */
  #rawCase(endpoint: Endpoint, request: Request): FuzzCase {
    const bytes = mangled(this.#chance, bytesOf(request, this.#base.host));
    return {
      name: endpointName(endpoint),
      play: async () => this.#judge.judge(await this.#client.send(bytes)),
      reproduction: () => `${printfOf(bytes)} | nc -N ${this.#base.hostname} ${this.#base.port}`,
    };
  }

  #request(endpoint: Endpoint): Request {
    const chance = this.#chance;
    const isQuery = endpoint.method === "GET";
    const markets = endpoint.path.startsWith("/futures") ? this.#world.futuresMarkets : this.#world.spotMarkets;
    const pairs = this.#grammar.params(endpoint.params, { inQuery: isQuery, markets });
    const path = chance.is(0.8) ? `/v2${endpoint.path}` : endpoint.path;
    const query = isQuery ? this.#query(pairs) : "";
    const request: Request = {
      method: endpoint.method,
      target: (query === "" ? path : `${path}?${query}`).slice(0, LONGEST_TARGET),
      headers: [],
      body: isQuery ? Buffer.alloc(0) : this.#body(pairs),
    };
    if (chance.is(0.04)) this.#spoilRequest(request);
    if (endpoint.signed || chance.is(0.1)) this.#sign(request);
    return request;
  }

  #query(pairs: readonly Pair[]): string {
    const chance = this.#chance;
    const encode = (text: string) => {
      const sound = encodeURIComponent(text.toWellFormed());
      switch (chance.below(20)) {
        case 0:
          return sound.replaceAll("%20", "+").toLowerCase();
        case 1:
          return encodeURIComponent(sound);
        case 2:
          return `${sound}${chance.pick(["%", "%z", "%ff", "%ed%a0%80", "%00", "&", "=", ";", "+", "?"])}`;
        case 3:
          return [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
        default:
          return sound;
      }
    };
    return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  }

  #body(pairs: readonly Pair[]): Buffer {
    const chance = this.#chance;
    const text = chance.is(0.03) ? chance.pick(ODD_BODIES) : objectText(pairs);
    const bytes = Buffer.from(text, "utf8");
    if (chance.is(0.02)) bytes[chance.below(bytes.length)] = chance.below(256);
    return chance.is(0.01) ? Buffer.from(text, "utf16le") : bytes;
  }

  #spoilRequest(request: Request): void {
    const chance = this.#chance;
    switch (chance.below(4)) {
      case 0:
        request.method = chance.pick(METHODS);
        break;
      case 1:
        request.target = request.target.replace(/[^?]*/, (path) =>
          chance.pick([`${path}/`, `/${path}`, path.toUpperCase()]),
        );
        break;
      case 2:
        request.body = Buffer.from("{}");
        break;
      default:
        request.headers.push([
          chance.pick(["Expect", "Upgrade", "Content-Encoding", "X-Forwarded-For", "Range"]),
          "gzip",
        ]);
    }
  }

  /** Signs as one of the traders, now and then badly. */
  #sign(request: Request): void {
    const chance = this.#chance;
    const { key } = chance.pick(this.#world.signers) as Signer;
    const odd = chance.is(0.06) ? chance.below(6) : -1;
    const shiftMs = odd === 0 ? chance.pick([-60_001, -60_000, -5_001, -5_000, 5_000, 5_001]) : 0;
    const timestamp =
      odd === 1 ? chance.pick(["", "now", "1e12", "-1", "9".repeat(30)]) : `${this.#world.nowMs + shiftMs}`;
    const { accessId, secret } = odd === 2 ? { accessId: chance.pick(["", "__proto__", "NOBODY"]), secret: "" } : key;
    const sign = createHmac("sha256", secret)
      .update(request.method + request.target)
      .update(request.body)
      .update(timestamp)
      .digest("hex");
    request.headers.push(["X-SVC-KEY", accessId], ["X-SVC-SIGN", odd === 3 ? sign.slice(1) : sign]);
    if (odd !== 4) request.headers.push(["X-SVC-TIMESTAMP", timestamp]);
    if (odd === 5) request.headers.push(["X-SVC-WINDOWTIME", chance.pick(["0", "-1", "1", "60000", "999999", "x"])]);
  }
}
