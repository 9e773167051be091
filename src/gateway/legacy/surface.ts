/**
 * The legacy generation on the wire: two surfaces, made of the handlers that the parts bring and of its contract. Each
 * request goes through the checks in the contract's order; what is not registered is not served.
 */
import { type Failures, waitForProof } from "../auth/failures.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { Faults } from "../faults/faults.ts";
import { behindBarrier, type ReadBarrier } from "../http/read-barrier.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Surface } from "../http/router.ts";
import type { Service } from "../http/server.ts";
import type { GroupLimit, GroupSpec, QuotaHeaders } from "../limits/group-limit.ts";
import { Quota } from "../limits/quota.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import { Refused } from "../refused.ts";
import { pipeline, REFUSED } from "../request/pipeline.ts";
import type { Params } from "../request/validate.ts";
import { LegacyAuthenticator, type LegacyAuthOptions, SCHEMES } from "./authenticate.ts";
import { LegacyCall, type LegacyHandlers } from "./call.ts";
import { type LegacyArea, type LegacyContract, type LegacyEndpoint, legacyName } from "./contract.ts";
import { LegacyParams } from "./parameters.ts";
import { LegacyRenderer, LIVE_CODES } from "./renderer.ts";
import { type Sent, sentBy, valuesIn } from "./sent.ts";

export interface LegacySurfaceOptions extends LegacyAuthOptions {
  readonly area: LegacyArea;
  readonly contract: LegacyContract;
  /** Those of both surfaces; the others are left alone. */
  readonly handlers: LegacyHandlers;
  readonly rows: AllRefusalRows;
  /** Undefined: accounts may ask as much as they like. */
  readonly limits: RateLimits | undefined;
  /** Slows down who fails to prove who he is; undefined: nobody is. */
  readonly failures: Failures | undefined;
  /** Injected faults; undefined: none. */
  readonly faults?: Faults | undefined;
  /** The barrier that signed requests wait for, where several nodes serve. */
  readonly readBarrier?: ReadBarrier | undefined;
  /** Codes as existing clients know them, see docs/reference/compat.md. */
  readonly compat: boolean;
  /** Methods whose parameters count only in the query. */
  readonly queryOnly: ReadonlySet<string>;
}

const HEADERS: QuotaHeaders = { limit: "X-Ratelimit-Limit", remaining: "X-Ratelimit-Remaining", longCycle: false };

/** The groups that place and change orders, and so count in the long cycle, by what follows their product. */
const LONG_CYCLE: Readonly<Record<string, GroupSpec["longCycle"]>> = {
  "Order place and cancel": "slowed",
  "Order batch place and cancel": "slowed",
  "Order batch cancel": "counted",
};

/** A request costs its address as many as this goes into its values: to read what was signed costs by the value. */
const VALUES_PER_REQUEST = 50;

const NO_BODY = Buffer.alloc(0);

type AnyHandler = (call: LegacyCall) => void | Promise<void>;

/** The endpoints of a surface that `handlers` serve. */
export function servedLegacyEndpoints(
  { endpoints }: LegacyContract,
  handlers: LegacyHandlers,
): readonly LegacyEndpoint[] {
  return endpoints.filter((endpoint) => Object.hasOwn(handlers, legacyName(endpoint)));
}

export function legacySurface(options: LegacySurfaceOptions): Surface {
  const { contract, handlers, area } = options;
  const groups = groupsOf(options);
  const authenticator = new LegacyAuthenticator(options, SCHEMES[area]);
  const renderer = new LegacyRenderer(options.rows, area, options.compat ? LIVE_CODES : {});
  const routes = new Map<string, Map<string, Service>>();
  for (const endpoint of servedLegacyEndpoints(contract, handlers)) {
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[legacyName(endpoint)] as AnyHandler;
    const group = endpoint.group === null ? undefined : groups?.get(endpoint.group);
    const quota = group && new Quota(group, undefined, !isCancel(endpoint));
    const service = serviceOf(endpoint, handler, { ...options, authenticator, quota, renderer });
    for (const path of [endpoint.path, ...(endpoint.also_at ?? [])]) {
      routes.set(path, (routes.get(path) ?? new Map()).set(endpoint.method, service));
    }
  }
  return { base: contract.base, renderer, routes };
}

/** A request costs 1 of its group, whatever it holds. */
function groupsOf({ area, contract, limits }: LegacySurfaceOptions): ReadonlyMap<string, GroupLimit> | undefined {
  if (limits === undefined) return undefined;
  const named = (name: string) => `${area} v1:${name}`;
  const terms = contract.groups.map(
    ({ name, rate }): GroupSpec => ({
      name: named(name),
      requests: rate.count,
      seconds: rate.per_seconds,
      longCycle: LONG_CYCLE[name],
    }),
  );
  const groups = limits.addGroups(terms, HEADERS);
  return new Map([...groups].map(([name, group]) => [name.slice(named("").length), group]));
}

/** Whether a call gives up orders, which an account may do at any time. */
function isCancel({ method, path }: LegacyEndpoint): boolean {
  return method === "DELETE" || path.includes("/order/cancel");
}

interface ServiceOptions extends LegacySurfaceOptions {
  readonly authenticator: LegacyAuthenticator;
  readonly quota: Quota | undefined;
  readonly renderer: LegacyRenderer;
}

/** Who asks, and what has been sent: that is read first, since signatures cover it. */
interface Asker {
  /** Undefined where nobody has to say who he is. */
  readonly key: ApiKey | undefined;
  readonly sent: Sent;
}

function serviceOf(
  endpoint: LegacyEndpoint,
  handler: AnyHandler,
  { contract, failures, faults, area, authenticator, quota, renderer, readBarrier, queryOnly }: ServiceOptions,
): Service {
  const parameters = new LegacyParams(contract, endpoint);
  // Source: contract/legacy/README.md, open point 6.
  const message = endpoint.signed && area === "spot" ? "Success" : "Ok";
  const callerOf = (context: RequestContext, sent: Sent): ApiKey | undefined | Refused => {
    if (!endpoint.signed) return undefined;
    const caller = authenticator.authenticate(context, sent, endpoint, context.nowMs);
    if (!(caller instanceof Refused)) context.userId = caller.userId;
    return caller;
  };
  const serve = pipeline<RequestContext, Asker, Params, LegacyCall, void>({
    // What nobody signs counts against the address alone.
    quota: endpoint.signed ? quota : undefined,
    userOf: ({ key }) => key?.userId,
    caller: (context) => {
      if (!context.countFurther(Math.floor(valuesIn(context) / VALUES_PER_REQUEST))) {
        context.refuse("address_rate_limited");
        return REFUSED;
      }
      const sent = sentBy(context);
      if (sent instanceof Refused) {
        context.refuse(sent);
        return REFUSED;
      }
      const key = callerOf(context, sent);
      if (!(key instanceof Refused)) return { key, sent };
      const waitMs = waitForProof(failures, key, context, () => authenticator.claimOf(context, sent));
      context.refuseAfter(waitMs, key);
      return REFUSED;
    },
    params: (context, { sent }) => {
      // What is in a body was signed, and is not looked at.
      const asked = queryOnly.has(endpoint.method) ? sentBy({ query: context.query, body: NO_BODY }) : sent;
      if (asked instanceof Refused) return asked;
      const path = pathValues(context);
      return path instanceof Refused ? path : parameters.of(asked.values, path);
    },
    injectsFault: (context, run) => faults?.isOnRequests === true && faults.takes(context, run),
    call: (context, { key }, params) =>
      new LegacyCall({ context, renderer, message }, key as ApiKey, params as never, context.nowMs),
    handler,
  });
  return endpoint.signed ? behindBarrier(serve, readBarrier) : serve;
}

/** Returns the decoded values of the path's parameters, or a refusal when one cannot be percent-decoded. */
function pathValues({ pathParameters }: RequestContext): Params | Refused {
  const values: Params = Object.create(null);
  try {
    for (const [name, text] of Object.entries(pathParameters)) values[name] = decodeURIComponent(text);
  } catch {
    return new Refused("request_malformed", "The path cannot be percent-decoded into UTF-8 text.");
  }
  return values;
}
