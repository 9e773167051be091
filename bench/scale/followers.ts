/**
 * Sockets that follow everything there is to follow of markets, and what a beat costs them of which few markets are
 * news.
 */
import type { State } from "../../src/engine/state.ts";
import type { Feeds } from "../../src/feeds/feeds.ts";
import { CHANNELS } from "../../src/gateway/parts.ts";
import { Client } from "../../src/gateway/ws/client.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { currentGeneration } from "../../src/gateway/ws/current-generation.ts";
import type { Hub } from "../../src/gateway/ws/hub.ts";
import { openHubs } from "../../src/gateway/ws/hubs.ts";
import { socketLimits } from "../../src/gateway/ws/limits.ts";

const FOLLOWERS = 200;
/** Tickers and prices of every market; depth and best quotes of one each. */
const OF_EVERYTHING = ["state", "price"];

/** The sockets of futures with so many who follow. Pushes go nowhere, but are made as they always are. */
export function followedHub(state: State, feeds: Feeds): Hub {
  const contract = loadSocketContract();
  const nobody = () => {
    throw new Error("Nobody logs in.");
  };
  const authenticator = {
    ...{ login: nobody, loginBySession: nobody, goodUntil: (timestamp: number) => timestamp },
    ...{ barredNow: () => undefined, renewed: () => undefined },
  };
  const { endpoints } = contract;
  const generations = [{ generation: currentGeneration(contract, CHANNELS), authenticator, endpoints }];
  const backend = { state, feeds, history: {} as never, isBusy: false, submit: () => false, now: () => state.timeMs };
  const hubs = openHubs({
    generations,
    limits: socketLimits(contract),
    backend,
    log: { error: (error) => fail(error) },
  });
  const hub = hubs[0]?.get("futures") as Hub;
  const names = state.markets.filter(({ futures }) => futures !== undefined).map(({ name }) => name);
  for (let at = 0; at < FOLLOWERS; at++) {
    const client = new Client({ remoteAddress: "", cut: () => {}, hasRoom: true, send: (push) => void push.json });
    const ask = (channel: string, list: readonly unknown[]) => {
      const request = { id: 1, method: `${channel}.subscribe`, params: { market_list: list } };
      hub.receive(client, Buffer.from(JSON.stringify(request)), false);
    };
    for (const channel of OF_EVERYTHING) ask(channel, []);
    const name = names[at % names.length];
    if (name !== undefined) {
      ask("bbo", [name]);
      ask("depth", [[name, 20, "0", false]]);
    }
  }
  return hub;
}

function fail(error: object): never {
  throw new Error("A push could not be made.", { cause: error });
}
