/**
 * Cases over the operator's interface: every call with spoilt fields, with its token and now and then without. It
 * changes users, keys, markets and assets of its own, and what it does to the whole venue is undone, so that the other
 * cases meet a venue that trades.
 */
import { type AdminCall, FIELD_IN_PATH } from "../../src/gateway/admin/call.ts";
import type { Field } from "../../src/gateway/admin/field.ts";
import type { Contract } from "../../src/gateway/current/contract.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import type { Chance } from "./chance.ts";
import { objectText, type Pair } from "./grammar.ts";
import { currentAnswers, HttpJudge, MISDIRECTED } from "./judge.ts";
import { ODD_BODIES, oddJson } from "./odd-values.ts";
import { RawClient } from "./raw-client.ts";
import { bytesOf, curlOf, dataOf, mangled, printfOf, type Request } from "./request.ts";
import type { FuzzCase, FuzzSource, Verdict } from "./source.ts";
import type { World } from "./world.ts";

const UNAUTHORIZED = 401;
/** Things of one kind that it remembers having made. */
const OWN_MAX = 32;
const LOG_FAULT = /"(?:write|sync)"/;
/** Nobody has such a number, nor will. */
const NOBODY = 99_999_999;
const OF_NOBODY = new RegExp(`"match":"user_id=${NOBODY}"`);
const CCYS = ["FUZZA", "FUZZB", "USDT"];
const MARKETS = ["FUZZAUSDT", "FUZZBUSDT", "FUZZAFUZZB"];

export class AdminSource implements FuzzSource {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #judge: HttpJudge;
  readonly #client: RawClient;
  readonly #base: URL;
  /** What answers have shown of users, keys and windows that it made, by the names of their fields. */
  readonly #own = new Map<string, string[]>();
  #at = 0;

  constructor(contract: Contract, world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    const answers = currentAnswers(contract);
    this.#judge = new HttpJudge(answers, { ...answers, statuses: [UNAUTHORIZED, MISDIRECTED] });
    this.#base = new URL(world.venue.adminUrl);
    this.#client = new RawClient(Number(this.#base.port));
  }

  next(): FuzzCase {
    const call = ADMIN_CALLS[this.#at++ % ADMIN_CALLS.length] as AdminCall;
    let request = this.#request(call);
    while (call.path === "/admin/faults" && isForAll(request.body.toString())) request = this.#request(call);
    const name = `${call.method} ${call.path}`;
    if (this.#chance.is(0.1)) {
      const bytes = mangled(this.#chance, bytesOf(request, this.#base.host));
      return {
        name,
        play: async () => this.#settled(this.#judge.judge(await this.#client.send(bytes))),
        reproduction: () => `${printfOf(bytes)} | nc -N ${this.#base.hostname} ${this.#base.port}`,
      };
    }
    return {
      name,
      play: () => this.#play(request),
      reproduction: () => curlOf(request, this.#base.origin),
    };
  }

  close(): void {
    this.#client.close();
  }

  async #play(request: Request): Promise<Verdict> {
    const conversation = await this.#client.ask(bytesOf(request, this.#base.host));
    const verdict = this.#judge.judge(conversation);
    const { answers, hung } = conversation;
    if (!hung && answers.length !== 1) {
      return { ...verdict, breaches: [...verdict.breaches, `${answers.length} answers came, not one.`] };
    }
    if (!verdict.refused && request.method === "POST") this.#learn(dataOf(answers[0]?.body));
    return this.#settled(verdict);
  }

  /** Undoes what the whole venue would go on to feel. */
  async #settled(verdict: Verdict): Promise<Verdict> {
    if (verdict.refused) return verdict;
    const { venue } = this.#world;
    await venue.admin("/admin/clock", { freeze: true, speed: 1 });
    const { cancel_only, withdrawals_halted } = await venue.admin("/admin/status");
    if (cancel_only) await venue.admin("/admin/cancel-only", { cancel_only: false, reason: "fuzz" });
    if (withdrawals_halted !== null) await venue.admin("/admin/withdrawal-halt", { halted: false, reason: "fuzz" });
    for (const { maintenance_id } of (await venue.admin("/admin/maintenance")).maintenance) {
      await this.#delete(`/admin/maintenance/${maintenance_id}`);
    }
    if ((await venue.admin("/admin/faults")).faults.length > 0) await this.#delete("/admin/faults");
    await this.#world.advance(0);
    return verdict;
  }

  async #delete(target: string): Promise<void> {
    const headers: [string, string][] = [["Authorization", this.#world.venue.authorization]];
    await this.#client.ask(bytesOf({ method: "DELETE", target, headers, body: NONE }, this.#base.host));
  }

  #learn(data: unknown): void {
    for (const [name, value] of Object.entries((data ?? {}) as object)) {
      if (!/_id$/.test(name)) continue;
      const own = this.#own.get(name) ?? [];
      this.#own.set(name, own);
      if (own.length < OWN_MAX) own.push(String(value));
      else own[this.#chance.below(OWN_MAX)] = String(value);
    }
  }

  #request({ method, path, fields }: AdminCall): Request {
    const chance = this.#chance;
    const names = Object.keys(fields);
    const inPath = FIELD_IN_PATH.test(path) ? (names[0] as string) : undefined;
    const target =
      inPath === undefined
        ? path
        : path.replace(FIELD_IN_PATH, encodeURIComponent(this.#pathText(inPath, fields[inPath] as Field<unknown>)));
    const given = names.filter((name) => name !== inPath && (fields[name]?.required || chance.is(0.4)));
    let pairs = given.map((name): Pair => [name, this.#value(name, fields[name] as Field<unknown>)]);
    for (let times = chance.pick([0, 0, 1, 1, 2, 3]); times > 0; times--) pairs = this.#spoilt(pairs, names);
    const text = chance.is(0.03) ? chance.pick(ODD_BODIES) : objectText(pairs);
    const request: Request = { method, target, headers: [], body: method === "POST" ? Buffer.from(text) : NONE };
    const token = this.#world.venue.authorization;
    if (!chance.is(0.03)) {
      request.headers.push([
        "Authorization",
        chance.is(0.03) ? chance.pick(["", "Bearer", `${token}0`, "Basic eA=="]) : token,
      ]);
    }
    return request;
  }

  #pathText(name: string, field: Field<unknown>): string {
    if (this.#chance.is(0.1))
      return String(JSON.parse(oddText(oddJson(this.#chance))))
        .toWellFormed()
        .slice(0, 2_000);
    return String(JSON.parse(this.#value(name, field)));
  }

  #spoilt(pairs: readonly Pair[], names: readonly string[]): Pair[] {
    const chance = this.#chance;
    const spoilt = [...pairs];
    const at = chance.below(Math.max(1, spoilt.length));
    const name = spoilt[at]?.[0] ?? chance.pick(names.length === 0 ? ["name"] : names);
    switch (chance.below(4)) {
      case 0:
        spoilt.splice(at, 1);
        break;
      case 1:
        spoilt.push([chance.pick(["__proto__", "constructor", "actor", "kind", "toString"]), oddJson(chance)]);
        break;
      default:
        spoilt[at] = [name, oddJson(chance)];
    }
    return spoilt;
  }

  /** A sound value as JSON text, by the field's name and what stands for its values in the help. */
  #value(name: string, { form }: Field<unknown>): string {
    const chance = this.#chance;
    const { shape, values } = form;
    if (shape === "flag") return String(chance.is(0.5));
    if (shape === "records") return this.#records(name);
    const word = JSON.stringify(this.#word(name, values));
    return shape === "list" ? `[${chance.is(0.1) ? `${word},${word}` : word}]` : word;
  }

  #records(name: string): string {
    const chance = this.#chance;
    const each = () =>
      name === "chains"
        ? { chain: chance.pick(["ONE", "TWO"]), withdrawal_fee: "0.1", deposit_enabled: chance.is(0.5) }
        : {
            exchange: chance.pick(["one", "two", "three"]),
            price: `${1 + chance.below(100)}.5`,
            weight: chance.pick(["0.5", "1", "0"]),
          };
    return JSON.stringify(Array.from({ length: chance.below(4) }, each));
  }

  #word(name: string, values: string): string | number {
    const chance = this.#chance;
    const own = this.#own.get(name === "main_user_id" ? "user_id" : name);
    if (own !== undefined && !chance.is(0.1)) return chance.pick(own);
    if (values.includes("|")) return chance.pick(values.split("|"));
    switch (values) {
      case "USER_ID":
      case "MAINTENANCE_ID":
        return 1_000_000 + chance.below(1_000_000);
      case "MS":
        return name === "advance_ms"
          ? chance.below(5_000)
          : chance.pick([0, this.#world.nowMs + chance.below(100_000)]);
      case "N":
        return chance.below(9);
      case "RATE":
        return chance.pick(["0", "0.001", "0.25"]);
      case "WEIGHT":
      case "PRICE":
      case "AMOUNT":
        return `${chance.below(1_000)}.${chance.below(100)}`;
      case "LEVEL":
        return `fuzz${chance.below(5)}`;
      case "MARKET":
        return chance.pick(MARKETS);
      case "CCY":
        return chance.pick(CCYS);
      case "ADDRESS":
        return chance.pick(["192.0.2.1", "198.51.100.0/24", "2001:db8::/32"]);
      case "MATCH":
        return chance.is(0.7) ? `user_id=${NOBODY}` : chance.pick(["", "user_id=", "/v2", "a.b.c", "\u0000"]);
      case "URL":
        return "https://example.com/";
      default:
        return `fuzz ${chance.below(10_000)}`;
    }
  }
}

const NONE = Buffer.alloc(0);

/**
 * A venue whose log is made to fail stops, as it should, and one that fails everybody on purpose leaves the other cases
 * nothing to look at.
 */
function isForAll(body: string): boolean {
  return LOG_FAULT.test(body) || (/"fault"/.test(body) && !OF_NOBODY.test(body));
}

/** Odd values that are no JSON by themselves count as text. */
function oddText(json: string): string {
  try {
    JSON.parse(json);
    return json;
  } catch {
    return JSON.stringify(json);
  }
}
