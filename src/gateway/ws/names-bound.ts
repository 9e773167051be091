/** How many names a connection may follow, alone and beside all others. */
import { type Figures, Refused } from "../refused.ts";
import type { Params } from "../request/validate.ts";
import type { Client } from "./client.ts";
import type { SocketLimits } from "./limits.ts";
import type { Method } from "./methods.ts";
import { notServed, SocketRefused } from "./refused.ts";

/**
 * Why a client may not follow or leave what it names; undefined when it may. Leaving names may cost room too, as
 * exceptions from everything; it always works below the bound.
 */
export function tooManyNames(
  client: Client,
  { names: about }: Pick<Method, "names">,
  params: Params,
  { subscriptionsMax, unlistedMax }: Pick<SocketLimits, "subscriptionsMax" | "unlistedMax">,
): SocketRefused | undefined {
  if (about === undefined) return undefined;
  const { channels, isJoining, replaces } = about;
  const { budget } = client;
  const [names] = Object.values(params) as (readonly unknown[])[];
  let added = Math.max(1, names?.length ?? 1) * channels.length;
  let unlisted = 0;
  for (const channel of channels) {
    unlisted += channel.unlistedIn(client, params, isJoining);
    if (!replaces) continue;
    // What gives way makes room.
    added = Math.max(0, added - channel.followed(client));
  }
  const ownMax = isJoining ? subscriptionsMax : 2 * subscriptionsMax;
  const figures = { followed: client.subscriptions, added, unlisted: client.unlisted + unlisted };
  if (client.subscriptions + added > ownMax) {
    return tooMany(`a connection follows ${ownMax} names at most`, { ...figures, limit: ownMax });
  }
  if (unlisted > 0 && client.unlisted + unlisted > unlistedMax) {
    const why = `a connection follows ${unlistedMax} names at most that are not listed`;
    return tooMany(why, { ...figures, limit: unlistedMax });
  }
  const isCrowded = isJoining && added > 0 && !budget.allows(client.subscriptions, added);
  if (isCrowded || (unlisted > 0 && !budget.allowsUnlisted(client.unlisted, unlisted))) {
    const all = { followed_by_all: budget.subscriptions, unlisted_by_all: budget.unlisted };
    return notServed(new Refused("unavailable", undefined, undefined, { ...figures, ...all }), CROWDED);
  }
  return undefined;
}

const CROWDED = "all connections together follow as many names as the venue can; follow fewer, or try again later";

function tooMany(why: string, figures: Figures): SocketRefused {
  return new SocketRefused("invalid_argument", new Refused("invalid_parameter", undefined, `${why}.`, figures), why);
}
