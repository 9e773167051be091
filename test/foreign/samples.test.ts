/**
 * The samples of the interface's maker in seven languages, as data (samples.json), against a venue; what fails stands
 * in known-faults.json.
 */
import assert from "node:assert/strict";
import { createHmac, hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { ApiKeyPair } from "../support/api-client.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

type Values = Readonly<Record<string, unknown>>;

interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly params: Values;
  readonly unsigned?: boolean;
  readonly fields?: Readonly<Record<string, "text" | "int" | "flag" | "list" | "object">>;
  readonly fields_at?: string;
  readonly keep?: string;
}

interface Program {
  readonly name: string;
  readonly source: string;
  readonly generation: "legacy" | "current";
  readonly sign: "md5" | "md5-secrect" | "hmac" | "plain" | "plain-upper" | "plain-without-body";
  readonly tonce_as_text?: boolean;
  /** Access id and time stand in the query a second time. */
  readonly twice?: boolean;
  /** A question mark stands behind paths without a query. */
  readonly mark_without_query?: boolean;
  readonly requests: readonly Request[];
}

interface SocketProgram {
  readonly name: string;
  readonly requests: readonly (readonly [method: string, params: unknown])[];
}

interface KnownFault {
  readonly program: string;
  readonly request: string;
  /** Only where the parameters are these, too. */
  readonly when?: Values;
  readonly code: number;
  readonly why: string;
}

const dataOf = <Data>(name: string) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as Data;
const { programs, sockets } = dataOf<{ programs: readonly Program[]; sockets: readonly SocketProgram[] }>("samples");
const { faults } = dataOf<{ faults: readonly KnownFault[] }>("known-faults");
const met = new Set<KnownFault>();

/** The code that a request of a program is known to be refused with; 0 of all others. */
function knownCode(program: string, request: string, params: Values = {}): number {
  const fault = faults.find(
    (each) =>
      each.program === program &&
      (each.request === "*" || each.request === request) &&
      Object.entries(each.when ?? {}).every(([name, value]) => params[name] === value),
  );
  if (fault !== undefined) met.add(fault);
  return fault?.code ?? 0;
}

describe("the samples of the interface's maker", () => {
  let venue: ApiVenue;
  let key: ApiKeyPair;
  before(async () => {
    venue = await bitcoinApiVenue({ compat: true });
    await venue.listAssets("CET");
    const { client, userId } = await venue.addUser("samples", { USDT: "1000000", BTC: "10" });
    key = client.key as ApiKeyPair;
    await venue.addUser("samples-sub", {}, userId);
    const { client: other } = await venue.addUser("other", { USDT: "1000000", BTC: "100" });
    await other.act("/v2/spot/order", limitOrder("sell", "10", "40000"));
    await other.act("/v2/spot/order", limitOrder("buy", "0.01", "19000"));
  });
  after(() => venue.close());

  for (const program of programs) {
    test(`${program.name}: ${program.requests.length} requests (${program.source})`, async () => {
      let kept: unknown;
      for (const request of program.requests) {
        const params = Object.fromEntries(
          Object.entries(request.params).map(([name, value]) => [name, value === "$kept" ? kept : value]),
        );
        const answer = await send(program, { ...request, params });
        const name = `${request.method} ${request.path}`;
        const code = knownCode(program.name, name, params);
        assert.equal(answer.code, code, `${name}: ${answer.message}`);
        if (code !== 0) continue;
        if (request.keep !== undefined) kept = (answer.data as Values)[request.keep];
        assertFields(request, answer);
      }
    });
  }

  for (const { name, requests } of sockets) {
    test(`${name}: ${requests.length} requests`, async () => {
      const socket = await venue.legacySocket();
      for (const [at, [method, given]] of requests.entries()) {
        const time = venue.control.timeMs;
        const params =
          given === "$login"
            ? socket.signRow(key, time)
            : given === "$login_in_capitals"
              ? socket.signRow({ accessId: key.accessId, secret: key.secret.toUpperCase() }, time)
              : given;
        socket.send(JSON.stringify({ id: at + 1, method, params }));
        const { error } = await socket.take(({ id }) => id === at + 1);
        assert.equal(error?.code ?? 0, knownCode(name, method), method);
      }
    });
  }

  test("every known fault of a client is still met", () => {
    assert.deepEqual(
      faults.filter((fault) => !met.has(fault)),
      [],
    );
  });

  interface Answer {
    readonly code: number;
    readonly message: string;
    readonly data: unknown;
  }

  async function send(program: Program, request: Request): Promise<Answer> {
    const response = await (program.generation === "legacy" ? legacy(program, request) : current(program, request));
    return (await response.json()) as Answer;
  }

  function legacy({ sign, tonce_as_text, twice }: Program, { method, path, params, unsigned }: Request) {
    const time = venue.control.timeMs;
    const who = unsigned ? {} : { access_id: key.accessId, tonce: tonce_as_text ? String(time) : time };
    const all: Values = { ...params, ...who };
    const pairs = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`);
    const secret = sign === "md5-secrect" ? "secrect" : "secret_key";
    const authorization = hash("md5", [...pairs, `${secret}=${key.secret}`].join("&")).toUpperCase();
    const headers = { "content-type": "application/json", ...(unsigned ? {} : { authorization }) };
    if (method === "POST") return fetch(venue.base + path, { method, headers, body: JSON.stringify(all) });
    const again = twice ? `&access_id=${key.accessId}&tonce=${time}` : "";
    return fetch(`${venue.base}${path}?${pairs.join("&")}${again}`, { method, headers });
  }

  function current({ sign, mark_without_query }: Program, { method, path, params, unsigned }: Request) {
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString();
    const target = method === "GET" && (query !== "" || mark_without_query === true) ? `${path}?${query}` : path;
    const body = method === "POST" ? JSON.stringify(params) : "";
    const timestamp = String(venue.control.timeMs);
    const text = method + target + (sign === "plain-without-body" ? "" : body) + timestamp;
    const digest =
      sign === "hmac" ? createHmac("sha256", key.secret).update(text).digest("hex") : hash("sha256", text + key.secret);
    const headers = {
      "content-type": "application/json",
      ...(unsigned
        ? {}
        : {
            "X-COINEX-KEY": key.accessId,
            "X-COINEX-SIGN": sign === "plain-upper" ? digest.toUpperCase() : digest,
            "X-COINEX-TIMESTAMP": timestamp,
          }),
    };
    return fetch(venue.base + target, { method, headers, ...(method === "POST" ? { body } : {}) });
  }
});

/** What the sample reads from the answer is there, and is what it takes it for. */
function assertFields({ path, fields = {}, fields_at: at = "data" }: Request, answer: object): void {
  const record = at.split(".").reduce<unknown>((value, name) => (value as Values | undefined)?.[name], answer);
  for (const [name, kind] of Object.entries(fields)) {
    const value = (record as Values | undefined)?.[name];
    const isRight = {
      text: typeof value === "string",
      int: Number.isSafeInteger(value),
      flag: typeof value === "boolean",
      list: Array.isArray(value),
      object: typeof value === "object" && value !== null && !Array.isArray(value),
    }[kind];
    assert.ok(isRight, `${path}: ${at}.${name} is no ${kind}: ${JSON.stringify(value)}`);
  }
}
