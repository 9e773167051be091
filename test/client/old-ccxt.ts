/** ccxt as it was in 2024, when it spoke the legacy generation: unmodified, only its address changed. */
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import ccxt from "ccxt-legacy";
import type { ApiKeyPair } from "../support/api-client.ts";
import type { VenueProcess } from "../support/venue-process.ts";

export type OldExchange = InstanceType<typeof ccxt.coinex>;

/** What it makes of a transfer, of which its types say nothing. */
export interface Transfer {
  readonly amount: number;
  readonly currency: string;
  readonly fromAccount: string;
  readonly toAccount: string;
  readonly status: string | undefined;
  readonly timestamp: number;
}

const planned: readonly string[] = JSON.parse(
  readFileSync(new URL("../../contract/legacy/planned.json", import.meta.url), "utf8"),
).planned;

/** Whether one of these endpoints is not served yet. */
export function isPlanned(...names: readonly string[]): boolean {
  return names.some((name) => planned.includes(name));
}

export function oldExchange({ url }: VenueProcess, key?: ApiKeyPair, options: object = {}): OldExchange {
  const client = new ccxt.coinex({
    apiKey: key?.accessId ?? "",
    secret: key?.secret ?? "",
    enableRateLimit: false,
    // It opens addresses without TLS only with an agent that it is given.
    agent: new Agent({ keepAlive: true }),
    options,
  });
  const api = client.urls["api"] as Record<string, string>;
  for (const name of Object.keys(api)) api[name] = (api[name] as string).replace("https://api.coinex.com", url);
  if (isPlanned("GET /v1/common/asset/config")) (client.has as Record<string, unknown>)["fetchCurrencies"] = false;
  return client;
}

/** Whether an error is of this kind of ccxt. */
export function isError(kind: keyof typeof ccxt): (error: Error) => boolean {
  return (error) => error instanceof (ccxt[kind] as unknown as ErrorConstructor);
}

export type OldStreams = InstanceType<typeof ccxt.pro.coinex>;

/** Its streaming client for spot or for swaps; it opens one kind of socket at a time. */
export function oldStreams(venue: VenueProcess, key: ApiKeyPair, defaultType: "spot" | "swap"): OldStreams {
  const client = new ccxt.pro.coinex({
    apiKey: key.accessId,
    secret: key.secret,
    enableRateLimit: false,
    agent: new Agent({ keepAlive: true }),
    options: { defaultType },
  });
  const api = client.urls["api"] as Record<string, string | Record<string, string>>;
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === "string") api[name] = url.replace("https://api.coinex.com", venue.url);
  }
  const socketUrl = venue.url.replace("http", "ws");
  api["ws"] = { spot: `${socketUrl}/`, swap: `${socketUrl}/perpetual` };
  if (isPlanned("GET /v1/common/asset/config")) (client.has as Record<string, unknown>)["fetchCurrencies"] = false;
  return client;
}
