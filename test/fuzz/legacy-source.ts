/**
 * The legacy generation to the fuzz run: every endpoint of one of its two contracts, with parameters in the query, in
 * JSON, in a form, or in several of them, signed by MD5 or SHA-256 over what the venue will read of them.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadContract } from "../../src/gateway/current/contract.ts";
import {
  type LegacyArea,
  type LegacyEndpoint,
  type LegacyParam,
  legacyName,
  loadLegacyContract,
} from "../../src/gateway/legacy/contract.ts";
import { legacyBreaches } from "../conformance/legacy-shape.ts";
import type { Chance } from "./chance.ts";
import { type Generation, jsonBody, queryText, spoilRequest } from "./endpoint-source.ts";
import { Grammar, type Pair } from "./grammar.ts";
import { oddText } from "./odd-values.ts";
import type { Request } from "./request.ts";
import type { Signer, World } from "./world.ts";

const LONGEST_TARGET = 12_000;
const NONE = Buffer.alloc(0);
const FORM = "application/x-www-form-urlencoded";

type Place = "query" | "json" | "form";

/** Endpoints that nobody serves yet. */
const planned: ReadonlySet<string> = new Set(
  JSON.parse(readFileSync(new URL("../../contract/legacy/planned.json", import.meta.url), "utf8")).planned,
);

export function legacyGeneration(area: LegacyArea, world: World, chance: Chance): Generation<LegacyEndpoint> {
  const contract = loadLegacyContract(area, loadContract());
  const grammar = new Grammar(contract, world, chance);
  const served = contract.endpoints.filter((endpoint) => !planned.has(legacyName(endpoint)));
  const markets = area === "spot" ? world.spotMarkets : world.futuresMarkets;
  return {
    endpoints: contract.endpoints,
    served,
    orders: served.filter(({ path }) => /\/order\/(stop\/|put_)?(limit|market|put_.*)$/.test(path)),
    nameOf: legacyName,
    // Which parameters were read nobody knows; a list is well when each of its objects is.
    breachesOf: (endpoint, envelope) => {
      const { list_without: named } = endpoint.result;
      const params = named === undefined || Array.isArray((envelope as { data: unknown }).data) ? {} : { [named]: "" };
      return legacyBreaches(contract, endpoint, envelope, params);
    },

    requestOf(endpoint) {
      const place = placeOf(chance, endpoint);
      const inQuery = place !== "json";
      const inPath = endpoint.params.filter((param) => param.in === "path");
      const rest = endpoint.params.filter((param) => param.in !== "path");
      let pairs = grammar.params(rest as readonly Ruled[], { inQuery, markets });
      const path = inPath.reduce((text, param) => text.replace(`{${param.name}}`, segment(param)), endpoint.path);
      const signing = endpoint.signed || chance.is(0.1) ? signingOf(chance, world, area) : undefined;
      if (signing !== undefined) {
        const own = signing.pairs.map(([name, value]): Pair => [name, inQuery ? value : jsonOf(chance, value)]);
        pairs = chance.is(0.5) ? [...pairs, ...own] : [...own, ...pairs];
      }
      if (chance.is(0.03) && pairs.length > 0) pairs = [...pairs, chance.pick(pairs)];
      // The same names in both places, or some here and some there.
      const doubled = chance.is(0.04) ? pairs.filter(() => chance.is(0.5)) : [];
      const inBody = chance.is(0.5) ? pairs : pairs.filter((pair) => !doubled.includes(pair));
      const query = queryText(chance, place === "query" ? pairs : doubled.map(textPair));
      const request: Request = {
        method: endpoint.method,
        target: (query === "" ? path : `${path}?${query}`).slice(0, LONGEST_TARGET),
        headers: [],
        body: place === "query" ? NONE : place === "json" ? jsonBody(chance, inBody) : formBody(chance, inBody),
      };
      if (place === "form" && chance.is(0.5)) request.headers.push(["Content-Type", FORM]);
      if (chance.is(0.04)) spoilRequest(chance, request);
      const signed =
        place === "query" ? pairs : [...doubled.map(textPair), ...inBody.map(place === "json" ? textPair : same)];
      signing?.sign(request, signed);
      return request;
    },
  };

  function segment({ name, form }: LegacyParam): string {
    if (chance.is(0.1)) return encodeURIComponent(oddText(chance).toWellFormed().slice(0, 2_000));
    return form === "ccy" ? chance.pick(["USDT", "BTC", "ETH"]) : String(world.id(chance, name));
  }
}

/** What the grammar wants to know of a parameter. */
type Ruled = Parameters<Grammar["params"]>[0][number];

/** Mostly where clients of the endpoint put parameters. */
function placeOf(chance: Chance, { method, path }: LegacyEndpoint): Place {
  if (chance.is(0.1)) return chance.pick(["query", "json", "form"]);
  if (method === "GET" || method === "DELETE") return "query";
  if (method === "PUT") return chance.pick(["query", "json"]);
  return path.startsWith("/perpetual/") ? chance.pick(["form", "form", "json"]) : "json";
}

interface Signing {
  /** The parameters that belong to the signature, as text. */
  readonly pairs: readonly Pair[];
  /** Adds the headers; `pairs` are all parameters as text. */
  sign(request: Request, pairs: readonly Pair[]): void;
}

/** Signs as one of the traders, now and then badly. */
function signingOf(chance: Chance, world: World, area: LegacyArea): Signing {
  const { key } = chance.pick(world.signers) as Signer;
  const isMd5 = area === "spot" || chance.is(0.3);
  const odd = chance.is(0.08) ? chance.below(7) : -1;
  const shiftMs = odd === 0 ? chance.pick([-60_001, -60_000, 60_000, 60_001]) : 0;
  const time = odd === 1 ? chance.pick(["", "now", "1e12", "-1", "9".repeat(30)]) : `${world.nowMs + shiftMs}`;
  const { accessId, secret } = odd === 2 ? { accessId: chance.pick(["", "__proto__", "NOBODY"]), secret: "" } : key;
  const inParams = isMd5 || chance.is(0.5);
  const pairs: Pair[] = [];
  if (inParams) pairs.push(["access_id", accessId]);
  if (odd !== 3) pairs.push([isMd5 ? "tonce" : "timestamp", time]);
  if (odd === 4) pairs.push(["windowtime", chance.pick(["0", "-1", "1", "60000", "999999", "x"])]);
  return {
    pairs,
    sign(request, all) {
      const text = `${sortedText(all)}&secret_key=${secret}`;
      const digest = isMd5 ? hash("md5", text).toUpperCase() : hash("sha256", text);
      if (odd !== 5) request.headers.push(["Authorization", odd === 6 ? digest.slice(1) : digest]);
      if (!isMd5 && (!inParams || chance.is(0.5))) request.headers.push(["AccessId", accessId]);
    },
  };
}

/** Of a name that is sent twice the last one counts. */
function sortedText(pairs: readonly Pair[]): string {
  const values = new Map(pairs);
  return [...values.keys()]
    .sort()
    .map((name) => `${name}=${values.get(name)}`)
    .join("&");
}

function formBody(chance: Chance, pairs: readonly Pair[]): Buffer {
  const bytes = Buffer.from(queryText(chance, pairs), "utf8");
  if (bytes.length > 0 && chance.is(0.02)) bytes[chance.below(bytes.length)] = chance.below(256);
  return bytes;
}

/** A text of digits as a number, or as a text. */
function jsonOf(chance: Chance, text: string): string {
  return /^[0-9]{1,15}$/.test(text) && chance.is(0.5) ? text : JSON.stringify(text);
}

/**
 * A value of JSON as it is signed: a text without its quotes, all else as it stands. What was spoilt may be no JSON any
 * more.
 */
function textPair([name, value]: Pair): Pair {
  try {
    const read: unknown = JSON.parse(value);
    return [name, typeof read === "string" ? read : value];
  } catch {
    return [name, value];
  }
}

function same(pair: Pair): Pair {
  return pair;
}
