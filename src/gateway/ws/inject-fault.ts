/** Requests over sockets that faults strike on purpose, in the dev profile. */
import type { Asked, Faults, Strike } from "../faults/faults.ts";
import type { WireRefusal } from "../refused.ts";
import type { Client } from "./client.ts";
import type { SocketRefusal } from "./errors.ts";
import type { CallAnswer } from "./methods.ts";
import { SocketRefused, tooFrequent } from "./refused.ts";
import type { SocketRequest } from "./request.ts";

export type SocketFaults = Pick<Faults, "isOnRequests" | "strikes" | "later">;

/** The ways in which a request that a fault struck may still end. */
export interface AfterStrike {
  refuse(refused: SocketRefused): void;
  /** Carries out the request without an answer. */
  perform(): void;
  /** Answers the request by the present state. */
  serve(): void;
  fail(error: unknown): void;
}

/** Requests of a connection that may be held back: as many as its limits let it send in a minute. */
const DELAYED_MAX = 1_200;
const TOO_MANY_DELAYED = tooFrequent("There are too many delayed requests on this connection.", {
  per: "connection",
  delayed: DELAYED_MAX,
});

/** The socket refusals of strikes, by their refusal; any other is `service_unavailable`. */
const SAID_AS: Readonly<Partial<Record<WireRefusal, SocketRefusal>>> = {
  rate_limited: "too_frequent",
  timeout: "timeout",
};

/** Returns the strike of a fault on a request that would get this answer; undefined when no fault strikes it. */
export function strikeOn(
  faults: SocketFaults | undefined,
  path: string,
  client: Client,
  { method }: Pick<SocketRequest, "method">,
  channels: readonly string[],
  answer: CallAnswer,
): Strike | undefined {
  if (faults?.isOnRequests !== true) return undefined;
  const key = ("login" in answer ? answer.login : undefined) ?? client.key;
  const asked: Asked = {
    paths: [path],
    names: [method, ...channels],
    userId: key?.userId ?? 0,
    what: `${method} on ${path}`,
  };
  return faults.strikes(asked);
}

/**
 * Carries out an injected fault; false when the request is refused. Other requests of its connection overtake one that
 * is delayed.
 */
export function injectFault(
  faults: SocketFaults,
  strike: Strike,
  client: Client,
  { refuse, perform, serve, fail }: AfterStrike,
): boolean {
  if ("cut" in strike) {
    if (strike.cut === "after") perform();
    client.cut();
    return true;
  }
  if ("refused" in strike) {
    const { refused, when } = strike;
    if (when === "after") perform();
    refuse(new SocketRefused(SAID_AS[refused.refusal] ?? "service_unavailable", refused));
    return false;
  }
  if (client.delayed >= DELAYED_MAX) {
    refuse(TOO_MANY_DELAYED);
    return false;
  }
  client.delayed++;
  const { line } = client;
  const goOn = () => {
    client.delayed--;
    if (!client.isGone(line)) serve();
  };
  faults.later(strike.delayMs, goOn, fail);
  return true;
}
