/**
 * A small generation of the API that differs from the current one wherever it can: PUT and DELETE, parameters in paths,
 * forms as bodies, everything signed by MD5 among the parameters, another envelope, other codes, other limits. Built
 * from what the gateway offers every surface, so that it shows whether that is enough.
 */
import { hash, timingSafeEqual } from "node:crypto";
import type { Command } from "../../src/engine/command.ts";
import { decodeOrder } from "../../src/engine/event.ts";
import { barredNow, lackOf } from "../../src/gateway/auth/access.ts";
import { allowsIp } from "../../src/gateway/auth/ip-whitelist.ts";
import type { ApiKey, Permission } from "../../src/gateway/auth/key-directory.ts";
import type { Rendered, Renderer } from "../../src/gateway/http/renderer.ts";
import type { RequestContext } from "../../src/gateway/http/request-context.ts";
import type { Surface } from "../../src/gateway/http/router.ts";
import type { Service } from "../../src/gateway/http/server.ts";
import { Quota } from "../../src/gateway/limits/quota.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import type { Answering } from "../../src/gateway/reading/answering.ts";
import { execute } from "../../src/gateway/reading/execute.ts";
import { type MarketPrinter, Printers } from "../../src/gateway/reading/market-printer.ts";
import { inMarket } from "../../src/gateway/reading/named-markets.ts";
import { openOrder } from "../../src/gateway/reading/open-orders.ts";
import { placeOrderOf } from "../../src/gateway/reading/orders.ts";
import { Refused } from "../../src/gateway/refused.ts";
import { parseJsonBody } from "../../src/gateway/request/json-body.ts";
import { readForm, readPairs } from "../../src/gateway/request/pairs.ts";
import { pipeline, REFUSED } from "../../src/gateway/request/pipeline.ts";
import type { Param, Vocabulary } from "../../src/gateway/request/rules.ts";
import { type Params, ParamsSchema } from "../../src/gateway/request/validate.ts";
import type { SurfaceGround } from "../support/served-venue.ts";

const BASE = "/old";
const TONCE_MS = 60_000;

/**
 * Its words and codes: rows that every part of the gateway has, in an envelope of its own. HTTP says nothing but 404.
 */
export class OldRenderer implements Renderer {
  render({ refusal, message, detail }: Refused): Rendered {
    const { v1, message: ofRow } = REFUSAL_ROWS[refusal];
    const text = message ?? (refusal === "invalid_parameter" && detail !== undefined ? `Bad: ${detail}` : ofRow);
    return { status: refusal === "path_not_found" ? 404 : 200, code: v1, body: envelope(v1, text, "{}") };
  }
}

function envelope(code: number, message: string, data: string): string {
  return `{"code":${code},"message":${JSON.stringify(message)},"data":${data}}`;
}

/** One call that has passed every check. */
interface OldCall extends Answering {
  readonly caller: ApiKey;
  readonly params: Params;
  answer(data: object): void;
}

/** Who asks, and what he has sent. */
interface Asker {
  readonly key: ApiKey;
  readonly sent: Params;
}

interface OldEndpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly permission: Permission;
  readonly params: readonly Param[];
  serve(call: OldCall): void;
}

const VOCABULARY: Vocabulary = {
  records: new Map(),
  enums: new Map([["Side", { values: ["buy", "sell"].map((value) => ({ value, meaning: "" })), notes: [] }]]),
  forms: new Map([
    ["decimal", { name: "decimal", pattern: "^[0-9]{1,19}(?:[.][0-9]{1,18})?$", expected: "a plain decimal" }],
  ]),
  limits: new Map([["text_chars_max", 40]]),
};

function param(name: string, type: string, more: Partial<Param> = {}): Param {
  return { name, type, in: "body", required: true, default: null, rule: "", ...more };
}

function endpointsOf({ backend }: SurfaceGround): readonly OldEndpoint[] {
  const { state } = backend;
  const printers = new Printers(state);
  const act = (call: OldCall, command: Command, answer: () => object) =>
    execute(backend, call, command, () => call.answer(answer()));
  const market = param("market", "string");
  const id = param("order_id", "int", { min: 1 });
  return [
    {
      method: "POST",
      path: "/order/limit",
      permission: "trade",
      params: [
        market,
        param("type", "string", { enum: "Side" }),
        param("amount", "decimal"),
        param("price", "decimal"),
      ],
      serve(call) {
        const { market: name, type: side, amount, price } = call.params as Record<string, string>;
        const command = placeOrderOf(state, "spot", call.caller.userId, {
          market: name as string,
          account: "spot",
          side: side as "buy" | "sell",
          type: "limit",
          amount: amount as string,
          price,
          ccy: undefined,
          positionSide: undefined,
          clientId: undefined,
          hidden: undefined,
          stpMode: undefined,
        });
        if (command instanceof Refused) call.refuse(command);
        else {
          execute(backend, call, command, (outcome, engine) => {
            const order = decodeOrder(engine.events, outcome.orderEvent);
            call.answer(orderOf(printers.of(order.marketId), order));
          });
        }
      },
    },
    {
      method: "GET",
      path: "/order/{order_id}",
      permission: "read",
      params: [market, id],
      serve(call) {
        const { market: name, order_id: orderId } = call.params as { market: string; order_id: number };
        inMarket(state, "spot", call, name, ({ id: marketId }) => {
          const order = openOrder(state, call.caller.userId, marketId, orderId);
          if (order === undefined) call.refuse("order_not_found");
          else call.answer(orderOf(printers.of(marketId), order));
        });
      },
    },
    {
      method: "DELETE",
      path: "/order/{order_id}",
      permission: "trade",
      params: [market, id],
      serve(call) {
        const { market: name, order_id: orderId } = call.params as { market: string; order_id: number };
        const { userId } = call.caller;
        inMarket(state, "spot", call, name, ({ id: marketId }) =>
          act(call, { kind: "cancel_order", userId, marketId, account: "spot", orderId }, () => ({ id: orderId })),
        );
      },
    },
    {
      method: "PUT",
      path: "/account/settings",
      permission: "trade",
      params: [param("deduct", "bool")],
      serve(call) {
        const { userId } = call.caller;
        const change = { actor: "", userId, byUser: true, feeDeduction: call.params["deduct"] as boolean };
        act(call, { kind: "change_user", ...change }, () => ({}));
      },
    },
  ];
}

/** An order in other words than those of the current generation. */
function orderOf(printer: MarketPrinter, order: ReturnType<typeof decodeOrder>): object {
  return {
    id: order.orderId,
    market: printer.market.name,
    type: order.side,
    deal_amount: printer.amount(order.filledLots),
    left: printer.amount(order.left),
    price: printer.price(order.price),
  };
}

export function oldSurface(ground: SurfaceGround): Surface {
  const { limits } = ground;
  const groups = limits?.addGroups([{ name: "old:all", requests: 6, seconds: 2 }], {
    limit: "X-Ratelimit-Limit",
    remaining: "X-Ratelimit-Remaining",
    longCycle: false,
  });
  const group = groups?.get("old:all");
  const routes = new Map<string, Map<string, Service>>();
  for (const endpoint of endpointsOf(ground)) {
    const schema = new ParamsSchema(VOCABULARY, endpoint.params);
    const service: Service = pipeline<RequestContext, Asker, Params, OldCall, void>({
      // Its order of checks: what was sent, key, time, signature, address, account, quota, parameters.
      caller: (context) => {
        const sent = sentBy(context);
        const key = sent instanceof Refused ? sent : callerOf(ground, endpoint, context, sent, context.nowMs);
        if (!(sent instanceof Refused) && !(key instanceof Refused)) return { key, sent };
        context.refuse((sent instanceof Refused ? sent : key) as Refused);
        return REFUSED;
      },
      quota: group && new Quota(group),
      userOf: ({ key }) => key.userId,
      params: (context, { sent }) => schema.ofValues({ ...sent, ...context.pathParameters }),
      call: (context, { key: caller }, params) => ({
        caller,
        params,
        answer: (data) => context.answer(envelope(0, "Success", JSON.stringify(data))),
        refuse: (refused) => context.refuse(refused),
        fail: (error) => context.fail(error),
      }),
      handler: (call) => endpoint.serve(call),
    });
    const path = BASE + endpoint.path;
    routes.set(path, (routes.get(path) ?? new Map()).set(endpoint.method, service));
  }
  return { base: BASE, renderer: new OldRenderer(), routes };
}

/** All parameters: of the query, and of a body that is a form or JSON. */
function sentBy(context: RequestContext): Params | Refused {
  const sent: Params = Object.create(null);
  const take = (name: string, value: unknown) => {
    sent[name] = value;
  };
  const malformed = readPairs(context.query, take);
  if (malformed !== undefined || context.body.length === 0) return malformed ?? sent;
  if (context.header("content-type") === "application/x-www-form-urlencoded") {
    return readForm(context.body, take) ?? sent;
  }
  const body = parseJsonBody(context.body);
  return body instanceof Refused ? body : { ...sent, ...body };
}

function callerOf(
  { directory, keyRing }: SurfaceGround,
  { permission }: OldEndpoint,
  context: RequestContext,
  sent: Params,
  nowMs: number,
): ApiKey | Refused {
  const key = directory.find(String(sent["access_id"]));
  if (key === undefined) return new Refused("access_id_unknown");
  if (!(Math.abs(nowMs - Number(sent["tonce"])) <= TONCE_MS)) return new Refused("request_expired");
  const secret = Buffer.from(keyRing.signingKeyOf(key).secret).toString("utf8");
  const given = Buffer.from(context.header("authorization") ?? "");
  const expected = Buffer.from(oldSignature(sent, secret));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return new Refused("signature_mismatch");
  if (!allowsIp(key.ipWhitelist, context.remoteAddress)) return new Refused("ip_not_allowed");
  const barred = barredNow(directory, key, nowMs) ?? lackOf(directory, key, { permission });
  return barred === undefined ? key : new Refused(barred);
}

export function oldSignature(sent: Readonly<Record<string, unknown>>, secret: string): string {
  const pairs = Object.keys(sent)
    .sort()
    .map((name) => `${name}=${sent[name]}`);
  return hash("md5", [...pairs, `secret_key=${secret}`].join("&")).toUpperCase();
}
