/** The page `/docs/sockets`: every call and channel of the sockets that are served, made from the contract. */
import { readFileSync } from "node:fs";
import {
  isOn,
  type MarketKind,
  type SocketCall,
  type SocketChannel,
  type SocketContract,
  type SocketError,
  type SocketParam,
} from "../ws/contract.ts";
import {
  code,
  enumsOf,
  enumTables,
  escaped,
  filled,
  list,
  recordTable,
  recordTables,
  section,
  sentence,
  table,
} from "./page-parts.ts";

/** The page for the sockets of these kinds of market. */
export function socketsPage(contract: SocketContract, kinds: readonly MarketKind[], hasLegacy = false): string {
  const isServed = (entry: Parameters<typeof isOn>[1]) => kinds.some((kind) => isOn(kind, entry));
  const channels = contract.channels.filter(isServed);
  const endpoints = contract.endpoints.filter(({ markets }) => kinds.includes(markets));
  const template = readFileSync(new URL("sockets.html", import.meta.url), "utf8");
  return filled(template, {
    older: hasLegacy ? ', where those of the <a href="/docs/legacy-sockets">older generation</a> stand as well' : "",
    addresses: list(endpoints.map(({ markets, path }) => `${code(path)} for ${markets} markets`)),
    contents: list(
      channels.map((channel) => `<a href="#${idOf(channel)}">${code(channel.name)}</a> ${briefly(channel)}`),
    ),
    calls: contract.calls
      .filter(isServed)
      .map((call) => callSection(contract, call))
      .join("\n"),
    channels: channels.map((channel) => channelSection(contract, channel)).join("\n"),
    limits: table(
      ["Limit", "Value"],
      [...contract.limits].map(([name, value]) => [code(name), String(value)]),
    ),
    errors: kinds.map((kind) => errorTable(contract.errors[kind])).join("\n"),
    enums: enumTables(contract.values, enumsNamed(contract, channels)),
    idle: String(contract.idleCloseMs / 1_000),
  });
}

function idOf({ name, markets }: SocketChannel): string {
  return `${name}-${markets}`;
}

function briefly({ signed, frequency }: SocketChannel): string {
  return `${escaped(frequency)}${signed ? "; after login" : ""}`;
}

function callSection(contract: SocketContract, { method, params, result, notes, endpoint }: SocketCall): string {
  if (endpoint !== undefined) {
    const { spot, futures } = endpoint;
    const calls = spot === futures ? code(spot) : `${code(spot)}, on the futures socket ${code(futures)}`;
    const api = '<a href="/docs/api">the API</a>';
    const body = `<p>Parameters, quota, refusals and answer are those of ${calls}, see ${api}.</p>`;
    return section(method, method, body + list(notes.map(escaped)));
  }
  const record = contract.values.records.get(result.record);
  const answer =
    result.kind === "ack" || record === undefined ? "<p>Answers a plain acknowledgement.</p>" : recordTable(record);
  return section(method, method, paramTable(params) + answer + list(notes.map(escaped)));
}

function channelSection(contract: SocketContract, channel: SocketChannel): string {
  const { name, markets, signed, subscribe, unsubscribe, update, frequency, notes } = channel;
  const request = { id: 1, method: subscribe.method, params: exampleOf(subscribe.params) };
  const body =
    `<p>${escaped(sentence(frequency))}${signed ? " Only after <code>server.sign</code>." : ""}</p>` +
    `<pre>${escaped(JSON.stringify(request))}</pre>` +
    `<h4>${code(subscribe.method)}</h4>${paramTable(subscribe.params)}` +
    `<h4>${code(unsubscribe.method)}</h4>${paramTable(unsubscribe.params)}` +
    `<h4>${code(update.method)}: data</h4>${recordTables(contract.values, update.record)}` +
    list(notes.map(escaped));
  return section(idOf(channel), markets === "both" ? name : `${name} (${markets})`, body);
}

function paramTable(params: readonly SocketParam[]): string {
  if (params.length === 0) return "<p>No parameters.</p>";
  return table(
    ["Parameter", "Type", "Rule"],
    params.map(({ name, type, rule }) => [code(name), escaped(type), escaped(rule)]),
  );
}

function errorTable(errors: readonly SocketError[]): string {
  return table(
    ["Code", "Message", "Meaning"],
    errors.map(({ code: number, message, meaning }) => [String(number), code(message), escaped(meaning)]),
  );
}

/** The enumerations that calls, channels and their records name. */
function enumsNamed({ values, calls }: SocketContract, channels: readonly SocketChannel[]): Set<string> {
  const params = [...calls.flatMap((call) => call.params), ...channels.flatMap(({ subscribe }) => subscribe.params)];
  const records = [...calls.map(({ result }) => result.record), ...channels.map(({ update }) => update.record)];
  const named = params.map((param) => param.enum).filter((name) => typeof name === "string");
  return new Set([...enumsOf(values, [...records, ...params.map(({ type }) => type)]), ...named]);
}

/** Parameters as a first request would have them. */
function exampleOf(params: readonly SocketParam[]): Record<string, unknown> {
  const [first] = params as [SocketParam];
  if (first.type === "array<DepthSubscription>") return { [first.name]: [["BTCUSDT", 20, "0", false]] };
  if (first.type === "array<int>") return { [first.name]: [] };
  return { [first.name]: [first.name === "ccy_list" ? "USDT" : "BTCUSDT"] };
}
