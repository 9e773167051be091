import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_BACKFILL } from "../../../test/support/no-backfill.ts";
import { readOnlyBackend } from "../../../test/support/socket-backend.ts";
import type { Command } from "../../engine/command.ts";
import { Engine } from "../../engine/engine.ts";
import { Feeds } from "../../feeds/feeds.ts";
import { CHANNELS } from "../parts.ts";
import type { Channel, ChannelDeclaration } from "./channel.ts";
import { Client } from "./client.ts";
import { loadSocketContract } from "./contract.ts";
import { currentGeneration } from "./current-generation.ts";
import type { Hub } from "./hub.ts";
import { openHubs } from "./hubs.ts";
import { socketLimits } from "./limits.ts";

const contract = loadSocketContract();
const limits = socketLimits(contract);
const authenticator = {
  login: () => assert.fail("nobody logs in"),
  goodUntil: (timestamp: number) => timestamp,
  loginBySession: () => assert.fail(),
  barredNow: () => undefined,
  renewed: () => undefined,
};

async function hubWith(channels: readonly ChannelDeclaration[]) {
  const engine = new Engine();
  const feeds = await Feeds.start(engine.state, NO_BACKFILL, 0);
  const failures: object[] = [];
  const backend = readOnlyBackend(engine.state, feeds);
  const log = { error: (details: object) => void failures.push(details) };
  const generations = [
    { generation: currentGeneration(contract, channels), authenticator, endpoints: contract.endpoints },
  ];
  const hub = openHubs({ generations, limits, backend, log })[0]?.get("spot") as Hub;
  const execute = (command: Command) => {
    engine.execute(command, { seq: engine.state.seq + 1, timeMs: 1_000 });
    feeds.apply(engine.events, 0, engine.events.length);
    engine.events.clear();
  };
  return { hub, failures, execute };
}

test("a push that fails is logged, and neither the venue's turn nor the other channels suffer", async () => {
  const broken: Channel = {
    subscribe: () => assert.fail("cannot subscribe"),
    unsubscribe: () => {},
    leave: () => {},
    followed: () => 0,
    unlistedIn: () => 0,
    beat: () => assert.fail("cannot beat"),
  };
  const notices: Channel = { ...broken, happened: () => assert.fail("cannot tell"), beat: () => {} };
  const { hub, failures, execute } = await hubWith([
    { name: "bbo", markets: "both", make: () => broken },
    { name: "state", markets: "both", make: () => broken },
    { name: "notice", markets: "spot", make: () => notices },
    ...CHANNELS,
  ]);
  execute({ kind: "list_asset", ccy: "USDT", scale: 8 });
  assert.equal(failures.length, 1);
  hub.beat(1_000);
  assert.equal(failures.length, 2);
  const answers: { code: number }[] = [];
  const client = new Client({
    remoteAddress: "",
    cut: () => {},
    hasRoom: true,
    send: ({ json }) => void answers.push(JSON.parse(json)),
  });
  hub.receive(client, Buffer.from('{"id":1,"method":"bbo.subscribe","params":{"market_list":[]}}'), false);
  assert.equal(failures.length, 3);
  assert.equal(answers.at(-1)?.code, 24_001);
  hub.receive(client, Buffer.from('{"id":2,"method":"server.ping","params":{}}'), false);
  assert.equal(answers.at(-1)?.code, 0);
});

test("a channel of the contract with nothing behind it stops the start", async () => {
  const without = CHANNELS.filter(({ name }) => name !== "notice");
  await assert.rejects(hubWith(without), /Nothing serves the channel notice/);
});
