import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { KeyPermission } from "../../src/engine/accounts/command-schemas.ts";
import { loadContract } from "../../src/gateway/current/contract.ts";
import {
  type LegacyContract,
  type LegacyEndpoint,
  legacyName,
  loadLegacyContract,
} from "../../src/gateway/legacy/contract.ts";
import type { LegacyName } from "../../src/gateway/legacy/types.generated.ts";
import { GATEWAY_ROWS } from "../../src/gateway/refusal-rows.ts";
import type { Param, ValueRule } from "../../src/gateway/request/rules.ts";
import { type LegacyAnswer, LegacyClient, type LegacyRequest, type Sending } from "../legacy/client.ts";
import { openStage, type Params, type Stage } from "./examples.ts";
import { LEGACY_EMPTY, LEGACY_EXAMPLES, LEGACY_NEEDED } from "./legacy-examples.ts";
import { legacyBreaches } from "./legacy-shape.ts";
import { extremesOf, wrongValuesOf } from "./rule-values.ts";
import { refusalBreaches } from "./shape.ts";

/** What the files of the contract have beside the endpoints. */
const fileOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../contract/legacy/${name}.json`, import.meta.url), "utf8"));

/** What the futures paths say of a market that is not listed; the others have no word of their own for it. */
const NO_SUCH_MARKET = 3101;

const [INVALID, ADDRESS, UNKNOWN_KEY, SIGNATURE, EXPIRED, PERMISSION, TIME] = [2, 23, 24, 25, 34, 158, 227];

/** How far the time of a request may be from the venue's, ms. */
const WINDOW_MS = 60_000;

/** The answers that the description shows. */
const examples: Readonly<Record<string, unknown>> = fileOf("examples");

const planned: ReadonlySet<string> = new Set(fileOf("planned").planned);

for (const area of ["spot", "futures"] as const) {
  const contract = loadLegacyContract(area, loadContract());
  const served = contract.endpoints.filter((endpoint) => !planned.has(legacyName(endpoint)));

  /** Every endpoint that is served is called for real, well and badly, as the contract's data says. */
  describe(`conformance with the legacy contract of ${area}`, () => {
    let stage: Stage;
    let callers: Callers;
    before(async () => {
      stage = await openStage();
      await planMaintenance(stage);
      callers = await callersOf(stage);
    });
    after(() => stage.venue.close());

    test("every endpoint has an example, and every example an endpoint", () => {
      const names = contract.endpoints.map(legacyName);
      const examples = Object.keys(LEGACY_EXAMPLES).filter((name) => name.includes(` ${contract.base}/`));
      assert.deepEqual(examples.sort(), names.sort());
    });

    test("the description lists exactly what is served, and stands on a page of its own", async () => {
      const response = await fetch(`${stage.venue.base}/openapi-legacy.json`);
      const { paths } = (await response.json()) as { paths: Record<string, object> };
      const listed = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const own = listed.filter((name) => name.includes(` ${contract.base}/`));
      assert.deepEqual(own.sort(), served.map(legacyName).sort());
      const page = await (await fetch(`${stage.venue.base}/docs/legacy`)).text();
      assert.match(page, /data-description="\/openapi-legacy\.json"/);
      const current = await (await fetch(`${stage.venue.base}/openapi.json`)).text();
      assert.match(current, /\/docs\/legacy/);
    });

    test("what nobody serves, and what is known by its path alone, is not there", async () => {
      const unserved = contract.endpoints.filter((endpoint) => planned.has(legacyName(endpoint)));
      for (const { method, path } of [...unserved, ...fileOf(`${area}-http`).path_only]) {
        // Another method of the path may be served.
        if (served.some((endpoint) => pathFits(endpoint, path))) continue;
        const answer = await callers.main.signed(method, path.replace(/\{.*?\}/, "1"));
        assert.deepEqual([answer.status, answer.code, answer.data], [404, INVALID, {}], path);
      }
    });

    for (const endpoint of served) {
      const name = legacyName(endpoint) as LegacyName;
      const example = async (): Promise<Params> => (await LEGACY_EXAMPLES[name]?.(stage)) ?? {};
      const call = (params: LegacyRequest, by = callers.main, sending: Sending = {}) =>
        ask(by, endpoint, params, sending);
      const assertRefused = async (params: LegacyRequest, code = INVALID) =>
        assert.deepEqual(refused(await call(params), code), [], JSON.stringify(params));
      const breachesOf = (answer: LegacyAnswer, params: LegacyRequest) =>
        legacyBreaches(contract, endpoint, enveloped(answer), params);
      const inPath = (param: Param) => (param as { in: string }).in === "path";

      describe(name, () => {
        test("answers with exactly the contract's fields", async () => {
          const params = await example();
          const answer = await call(params);
          assert.equal(answer.status, 200);
          assert.deepEqual(breachesOf(answer, params), []);
          assert.ok(!isBare(answer) || LEGACY_EMPTY.has(name), "the example shows nothing");
        });

        test("is shown with an answer that it would still give", async () => {
          const shown = examples[name];
          assert.ok(shown !== undefined, "run test/conformance/legacy-answers.ts");
          assert.deepEqual(legacyBreaches(contract, endpoint, shown, await example()), []);
        });

        test("needs no more than its required parameters, and each of them", async () => {
          const params = await example();
          const optional = endpoint.params.filter((param) => !param.required);
          const least = without(
            params,
            ...optional.map((param) => param.name).filter((each) => each !== LEGACY_NEEDED[name]),
          );
          assert.deepEqual(breachesOf(await call(least), least), []);
          for (const param of endpoint.params.filter((each) => each.required && !inPath(each as never))) {
            await assertRefused(without(params, param.name));
            await assertRefused({ ...params, [param.name]: isText(endpoint) ? "" : null });
          }
        });

        test("refuses what a parameter may not be, by its own code where it has one", async () => {
          const params = await example();
          for (const param of endpoint.params) {
            const own =
              param.refused_as === undefined ? INVALID : GATEWAY_ROWS[param.refused_as as "depth_merge_unknown"].v1;
            for (const wrong of wrongOf(contract, param as never, isText(endpoint) || inPath(param as never))) {
              const isUnlisted = param.form === "market" && wrong === "NOPE" && area === "futures";
              await assertRefused({ ...params, [param.name]: wrong }, isUnlisted ? NO_SUCH_MARKET : own);
            }
          }
        });

        test("takes every choice and both bounds of a parameter", async () => {
          for (const param of endpoint.params) {
            for (const value of extremesOf(contract, param)) {
              const answer = await call({ ...(await example()), [param.name]: value });
              // The choice may be refused for what it means here; but it is one.
              assert.doesNotMatch(answer.message, new RegExp(`${param.name} must be one of`), `${param.name} ${value}`);
              assert.notEqual(answer.code, 651);
            }
          }
        });

        const list = endpoint.params.find(({ type }) => contract.records.has(/^array<(\w+)>$/.exec(type)?.[1] ?? ""));
        if (list !== undefined) {
          test("lets an element fail alone", async () => {
            const params = await example();
            const [element] = params[list.name] as readonly Params[];
            for (const field of contract.records.get(list.type.slice("array<".length, -1))?.fields ?? []) {
              const wrong = wrongOf(contract, field, false).map((value) => ({ ...element, [field.name]: value }));
              const broken = field.nullable ? wrong : [...wrong, without(element as Params, field.name)];
              if (broken.length === 0) continue;
              const answer = await call({ ...params, [list.name]: broken });
              assert.deepEqual(
                answer.data.map(({ code, data }: LegacyAnswer) => [code, data]),
                broken.map(() => [INVALID, {}]),
                `${field.name}: ${JSON.stringify(answer.data)}`,
              );
            }
          });
        }

        if (endpoint.method !== "GET") {
          test("takes its parameters wherever clients put them", async () => {
            for (const place of ["query", "json", "form"] as const) {
              const params = await example();
              assert.deepEqual(breachesOf(await call(params, callers.main, { place }), params), [], place);
            }
          });
        }

        test("answers to its own methods only", async () => {
          const own = served.filter(({ path }) => pathFits(endpoint, path)).map(({ method }) => String(method));
          for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"].filter((each) => !own.includes(each))) {
            const answer = await ask(callers.main, { ...endpoint, method: method as "GET" }, await example());
            assert.deepEqual(refused(answer, INVALID), [], method);
          }
        });

        if (!endpoint.signed) {
          test("needs no key", async () => {
            const params = await example();
            const answer = await callers.nobody.get(
              pathOf(endpoint, params),
              without(params, ...namesInPath(endpoint)),
            );
            assert.deepEqual(breachesOf(answer, params), []);
          });
          return;
        }

        for (const scheme of area === "spot" ? (["md5"] as const) : (["sha256", "md5"] as const)) {
          test(`is answered to who signs with ${scheme}, in either case, and to nobody else`, async () => {
            const [time, params] = [scheme === "md5" ? "tonce" : "timestamp", await example()];
            const now = stage.venue.control.timeMs;
            const flipped = (digest: string) => (scheme === "md5" ? digest.toLowerCase() : digest.toUpperCase());
            const answer = await call(params, callers.main, { scheme, authorization: flipped });
            assert.deepEqual(breachesOf(answer, params), []);
            const cases: readonly (readonly [code: number, sending: Sending])[] = [
              [UNKNOWN_KEY, { changes: { access_id: "NOBODY" } }],
              [UNKNOWN_KEY, { changes: { access_id: "" } }],
              [TIME, { changes: { [time]: now - WINDOW_MS - 1 } }],
              [TIME, { changes: { [time]: now + WINDOW_MS + 1 } }],
              [TIME, { changes: { [time]: "soon" } }],
              [SIGNATURE, { authorization: () => undefined }],
              [SIGNATURE, { authorization: (digest) => digest.slice(1) }],
              [SIGNATURE, { authorization: (digest) => `${digest.slice(1)}${digest[0]}x`.slice(0, digest.length) }],
            ];
            for (const [code, sending] of cases) {
              const given = await call(params, callers.main, { scheme, ...sending });
              assert.deepEqual(refused(given, code), [], JSON.stringify(sending.changes));
            }
          });
        }

        test("is refused to a key from elsewhere, one that has run out, and one without the permission", async () => {
          const params = await example();
          assert.deepEqual(refused(await call(params, callers.elsewhere), ADDRESS), []);
          assert.deepEqual(refused(await call(params, callers.expired), EXPIRED), []);
          const { permission, callers: who, sub_permission: granted } = endpoint;
          if (permission !== "read") assert.deepEqual(refused(await call(params, callers.reader), PERMISSION), []);
          if (who === "main" || granted !== null) {
            assert.deepEqual(refused(await call(params, callers.sub), PERMISSION), []);
          }
        });
      });
    }
  });
}

/** Who calls, beside the caller of the stage, who may do everything. */
interface Callers {
  readonly main: LegacyClient;
  readonly nobody: LegacyClient;
  /** Other keys of the same account: one that may only read, */
  readonly reader: LegacyClient;
  /** one that has run out, and */
  readonly expired: LegacyClient;
  /** one that may be used from another address only. */
  readonly elsewhere: LegacyClient;
  /** A sub-account that was granted nothing. */
  readonly sub: LegacyClient;
}

async function callersOf({ venue, caller }: Stage): Promise<Callers> {
  const all: readonly KeyPermission[] = ["read", "trade", "withdraw"];
  const withKey = async (userId: number, permissions = all, more = {}) =>
    new LegacyClient(venue, await venue.addKey(userId, permissions, more));
  const created = {
    kind: "create_sub_account",
    userId: caller.userId,
    name: "granted-nothing",
    permissions: [],
  } as const;
  const { userId: subId } = (await venue.operate(created)) as { userId: number };
  return {
    main: new LegacyClient(venue, caller.client),
    nobody: new LegacyClient(venue, venue.anybody),
    reader: await withKey(caller.userId, ["read"]),
    expired: await withKey(caller.userId, all, { expiredAt: 1 }),
    elsewhere: await withKey(caller.userId, all, { ipWhitelist: ["192.0.2.1"], expiredAt: 1 }),
    sub: await withKey(subId),
  };
}

async function planMaintenance({ venue }: Stage): Promise<void> {
  const soon = venue.control.timeMs + 7_200_000;
  const times = {
    startedAt: soon,
    endedAt: soon + 1_000,
    protectDurationStart: soon + 1_000,
    protectDurationEnd: soon + 2_000,
  };
  const announceUrl = "https://example.com/notice";
  await venue.operate({ kind: "plan_maintenance", scope: ["ALL_SITE"], ...times, announceEnabled: true, announceUrl });
}

function ask(
  by: LegacyClient,
  endpoint: LegacyEndpoint,
  params: LegacyRequest,
  sending: Sending = {},
): Promise<LegacyAnswer> {
  const path = pathOf(endpoint, params);
  const given = without(params, ...namesInPath(endpoint));
  const mayBeNull = sending.place === undefined && !isText(endpoint);
  const sent = Object.entries(given).filter(([, value]) => value !== undefined && (mayBeNull || value !== null));
  return by.signed(endpoint.method, path, Object.fromEntries(sent), sending);
}

/** The path with what the parameters say in place of names in braces. */
function pathOf({ path }: LegacyEndpoint, params: LegacyRequest): string {
  return path.replace(/\{(\w+)\}/, (_, name: string) => encodeURIComponent(String(params[name])));
}

function namesInPath({ path }: LegacyEndpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** Whether `path`, which may have names in braces, would be answered by the endpoint's path, too. */
function pathFits(endpoint: LegacyEndpoint, path: string): boolean {
  return new RegExp(`^${endpoint.path.replace(/\{\w+\}/, "[^/]+")}$`).test(path) || endpoint.path === path;
}

/** Whether parameters come as text alone where most clients put them. */
function isText({ method, path }: LegacyEndpoint): boolean {
  return method === "GET" || method === "DELETE" || path.startsWith("/perpetual/");
}

function wrongOf(contract: LegacyContract, rule: ValueRule, isText: boolean): unknown[] {
  return wrongValuesOf(contract, { rule, isText, wrongTruths: ["yes", 2] });
}

function enveloped({ code, message, data }: LegacyAnswer): LegacyRequest {
  return { code, message, data };
}

function refused(answer: LegacyAnswer, code: number): string[] {
  return answer.status === 200 ? refusalBreaches(enveloped(answer), code) : [`The status is ${answer.status}.`];
}

/** Whether the answer holds no record at all. */
function isBare({ data }: LegacyAnswer): boolean {
  const rows = data?.records ?? data?.data ?? data;
  return Array.isArray(rows) && rows.length === 0;
}

function without(params: LegacyRequest, ...names: readonly string[]): LegacyRequest {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}
