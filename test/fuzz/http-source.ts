/** The current generation to the fuzz run: every endpoint of its contract, signed as it is. */
import { createHmac } from "node:crypto";
import { type Contract, type Endpoint, endpointName } from "../../src/gateway/current/contract.ts";
import { shapeBreaches } from "../conformance/shape.ts";
import type { Chance } from "./chance.ts";
import { type Generation, jsonBody, queryText, spoilRequest } from "./endpoint-source.ts";
import { Grammar } from "./grammar.ts";
import type { Request } from "./request.ts";
import type { Signer, World } from "./world.ts";

const LONGEST_TARGET = 12_000;

export function currentGeneration(contract: Contract, world: World, chance: Chance): Generation<Endpoint> {
  const grammar = new Grammar(contract, world, chance);
  const { endpoints } = contract;
  const served = endpoints.filter((endpoint) => world.served.has(endpointName(endpoint)));
  return {
    endpoints,
    served,
    orders: served.filter(({ path }) => /\/(batch-)?(stop-)?order$/.test(path)),
    nameOf: endpointName,
    breachesOf: (endpoint, envelope) => shapeBreaches(contract, endpoint, envelope),

    requestOf(endpoint) {
      const isQuery = endpoint.method === "GET";
      const markets = endpoint.path.startsWith("/futures") ? world.futuresMarkets : world.spotMarkets;
      const pairs = grammar.params(endpoint.params, { inQuery: isQuery, markets });
      const path = chance.is(0.8) ? `/v2${endpoint.path}` : endpoint.path;
      const query = isQuery ? queryText(chance, pairs) : "";
      const request: Request = {
        method: endpoint.method,
        target: (query === "" ? path : `${path}?${query}`).slice(0, LONGEST_TARGET),
        headers: [],
        body: isQuery ? Buffer.alloc(0) : jsonBody(chance, pairs),
      };
      if (chance.is(0.04)) spoilRequest(chance, request);
      if (endpoint.signed || chance.is(0.1)) sign(chance, world, request);
      return request;
    },
  };
}

/** Signs as one of the traders, now and then badly. */
function sign(chance: Chance, world: World, request: Request): void {
  const { key } = chance.pick(world.signers) as Signer;
  const odd = chance.is(0.06) ? chance.below(6) : -1;
  const shiftMs = odd === 0 ? chance.pick([-60_001, -60_000, -5_001, -5_000, 5_000, 5_001]) : 0;
  const timestamp = odd === 1 ? chance.pick(["", "now", "1e12", "-1", "9".repeat(30)]) : `${world.nowMs + shiftMs}`;
  const { accessId, secret } = odd === 2 ? { accessId: chance.pick(["", "__proto__", "NOBODY"]), secret: "" } : key;
  const digest = createHmac("sha256", secret)
    .update(request.method + request.target)
    .update(request.body)
    .update(timestamp)
    .digest("hex");
  request.headers.push(["X-SVC-KEY", accessId], ["X-SVC-SIGN", odd === 3 ? digest.slice(1) : digest]);
  if (odd !== 4) request.headers.push(["X-SVC-TIMESTAMP", timestamp]);
  if (odd === 5) request.headers.push(["X-SVC-WINDOWTIME", chance.pick(["0", "-1", "1", "60000", "999999", "x"])]);
}
