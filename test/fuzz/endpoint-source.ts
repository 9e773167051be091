/** Cases over a generation's endpoints: requests whose parameters, headers and bytes are more or less spoilt. */
import type { Chance } from "./chance.ts";
import { objectText, type Pair } from "./grammar.ts";
import type { HttpJudge } from "./judge.ts";
import { ODD_BODIES } from "./odd-values.ts";
import { RawClient } from "./raw-client.ts";
import { bytesOf, curlOf, dataOf, mangled, printfOf, type Request } from "./request.ts";
import type { FuzzCase, FuzzSource, Verdict } from "./source.ts";
import type { World } from "./world.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"];

/** What a generation of the API is to the run. */
export interface Generation<Endpoint extends { readonly method: string }> {
  readonly endpoints: readonly Endpoint[];
  readonly served: readonly Endpoint[];
  /** Those of the served ones that make what others ask about. */
  readonly orders: readonly Endpoint[];
  nameOf(endpoint: Endpoint): string;
  requestOf(endpoint: Endpoint): Request;
  /** What is wrong with a successful answer. */
  breachesOf(endpoint: Endpoint, envelope: unknown): string[];
}

/** Endpoints one after the other, round and round. */
class InTurn<Endpoint> {
  readonly #endpoints: readonly Endpoint[];
  #at = 0;

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
  }

  next(): Endpoint {
    return this.#endpoints[this.#at++ % this.#endpoints.length] as Endpoint;
  }
}

export class EndpointSource<Endpoint extends { readonly method: string }> implements FuzzSource {
  readonly #generation: Generation<Endpoint>;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #judge: HttpJudge;
  /** What was spoilt beyond its endpoint may be answered by anybody. */
  readonly #anyJudge: HttpJudge;
  readonly #client: RawClient;
  readonly #base: URL;
  readonly #all: InTurn<Endpoint>;
  readonly #served: InTurn<Endpoint>;
  readonly #orders: InTurn<Endpoint>;

  constructor(
    generation: Generation<Endpoint>,
    { world, chance, judge, anyJudge }: { world: World; chance: Chance; judge: HttpJudge; anyJudge: HttpJudge },
  ) {
    this.#generation = generation;
    this.#world = world;
    this.#chance = chance;
    this.#judge = judge;
    this.#anyJudge = anyJudge;
    this.#base = new URL(world.venue.url);
    this.#client = new RawClient(Number(this.#base.port), world.from);
    this.#all = new InTurn(generation.endpoints);
    this.#served = new InTurn(generation.served);
    this.#orders = new InTurn(generation.orders);
  }

  next(): FuzzCase {
    const endpoint = this.#endpoint();
    const request = this.#generation.requestOf(endpoint);
    return this.#chance.is(0.15) && request.method !== "HEAD"
      ? this.#rawCase(endpoint, request)
      : this.#case(endpoint, request);
  }

  close(): void {
    this.#client.close();
  }

  /**
   * Mostly one served endpoint after the other, so that none is forgotten; orders more often, to have things to ask
   * about.
   */
  #endpoint(): Endpoint {
    const which = this.#chance.below(20);
    const turn = which < 4 ? this.#orders : which < 17 ? this.#served : this.#all;
    return turn.next();
  }

  #case(endpoint: Endpoint, request: Request): FuzzCase {
    const generation = this.#generation;
    const bodyless = request.method === "HEAD";
    // What is asked of an endpoint in the wrong way may be answered by another one, and in another generation's words.
    const isAsked = request.method === endpoint.method && !/\/\/|^\/[A-Z]/.test(request.target);
    return {
      name: generation.nameOf(endpoint),
      play: async (): Promise<Verdict> => {
        const conversation = await this.#client.ask(bytesOf(request, this.#base.host), bodyless);
        const judgeSuccess = isAsked ? (envelope: unknown) => generation.breachesOf(endpoint, envelope) : undefined;
        const judge = isAsked ? this.#judge : this.#anyJudge;
        const verdict = judge.judge(conversation, judgeSuccess, bodyless);
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
      name: this.#generation.nameOf(endpoint),
      play: async () => this.#anyJudge.judge(await this.#client.send(bytes)),
      reproduction: () => `${printfOf(bytes)} | nc -N ${this.#base.hostname} ${this.#base.port}`,
    };
  }
}

/** Pairs as a query or a form, mostly encoded soundly. */
export function queryText(chance: Chance, pairs: readonly Pair[]): string {
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

/** Pairs as a JSON body; now and then it is none. */
export function jsonBody(chance: Chance, pairs: readonly Pair[]): Buffer {
  const text = chance.is(0.03) ? chance.pick(ODD_BODIES) : objectText(pairs);
  const bytes = Buffer.from(text, "utf8");
  if (chance.is(0.02)) bytes[chance.below(bytes.length)] = chance.below(256);
  return chance.is(0.01) ? Buffer.from(text, "utf16le") : bytes;
}

/** Changes something about a request that its parameters have no part in. */
export function spoilRequest(chance: Chance, request: Request): void {
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
