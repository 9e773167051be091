/** The page `/docs/legacy-sockets`: every method and channel of the legacy sockets, made from the contract. */
import { readFileSync } from "node:fs";
import type {
  LegacySocketCall,
  LegacySocketChannel,
  LegacySocketContract,
  LegacySocketList,
  LegacySocketParam,
} from "../legacy/sockets/contract.ts";
import {
  code,
  enumsOf,
  enumTables,
  escaped,
  filled,
  itemOf,
  list,
  recordTables,
  section,
  sentence,
  table,
} from "./page-parts.ts";

export function legacySocketsPage(contract: LegacySocketContract): string {
  const template = readFileSync(new URL("legacy-sockets.html", import.meta.url), "utf8");
  return filled(template, {
    addresses: list(contract.endpoints.map(({ markets, path }) => `${code(path)} for ${markets} markets`)),
    contents: list(contract.channels.map((channel) => `<a href="#${idOf(channel)}">${code(titleOf(channel))}</a>`)),
    calls: contract.calls.map((call) => callSection(contract, call)).join("\n"),
    channels: contract.channels.map((channel) => channelSection(contract, channel)).join("\n"),
    errors: table(
      ["Code", "Message", "Meaning"],
      contract.errors.map(({ code: number, message, meaning }) => [String(number), code(message), escaped(meaning)]),
    ),
    enums: enumTables(contract.values, enumsNamed(contract)),
  });
}

function idOf({ name, markets }: LegacySocketChannel): string {
  return `${name}-${markets}`;
}

function titleOf({ name, markets }: LegacySocketChannel): string {
  return markets === "both" ? name : `${name} (${markets})`;
}

function callSection({ values }: LegacySocketContract, call: LegacySocketCall): string {
  const { method, markets, signed, params, result, notes = [] } = call;
  const kind = result.kind === "scalar" ? `one ${result.item}` : KINDS[result.kind];
  const body =
    `<p>${where(markets, signed)}</p>${paramTable(params)}` +
    `<p>Answers ${escaped(kind ?? result.kind)}${result.record === null ? "" : ` of ${code(result.record)}`}.</p>` +
    (result.record === null ? "" : recordTables(values, result.record)) +
    list(notes.map(escaped));
  return section(`call-${method}`, method, body);
}

/** The contents of an answer, before the name of its record. */
const KINDS: Readonly<Record<string, string>> = {
  object: "one object",
  array: "a list",
  page: "a page",
  map: "an object by names",
};

function channelSection({ values }: LegacySocketContract, channel: LegacySocketChannel): string {
  const { markets, signed, subscribe, unsubscribe, update, frequency, notes = [] } = channel;
  const request = { id: 1, method: subscribe.method, params: exampleOf(channel) };
  const body =
    `<p>${where(markets, signed)} ${escaped(sentence(frequency))}</p><pre>${escaped(JSON.stringify(request))}</pre>` +
    `<h4>${code(subscribe.method)}</h4>` +
    ("kind" in subscribe.params ? listText(subscribe.params) : paramTable(subscribe.params)) +
    `<h4>${code(unsubscribe.method)}</h4><p>Ends the channel.</p>` +
    `<h4>${code(update.method)}: params</h4>` +
    table(
      ["Position", "Name", "Type", "Meaning"],
      update.params.map(({ position, name, type, meaning }) => [
        String(position),
        code(name),
        escaped(type),
        escaped(meaning),
      ]),
    ) +
    update.params.map(({ record }) => (record === null ? "" : recordTables(values, record))).join("") +
    list(notes.map(escaped));
  return section(idOf(channel), titleOf(channel), body);
}

function where(markets: string, signed: boolean): string {
  return `On ${markets === "both" ? "both sockets" : `the socket for ${markets}`}${signed ? ", after a login" : ""}.`;
}

function listText({ rule, item_params: items }: LegacySocketList): string {
  return `<p>${escaped(sentence(rule))}</p>${items === undefined ? "" : paramTable(items)}`;
}

function paramTable(params: readonly LegacySocketParam[]): string {
  if (params.length === 0) return "<p>No parameters.</p>";
  return table(
    ["Position", "Parameter", "Type", "Rule"],
    params.map(({ position, name, type, rule, enum: one, futures_enum: other, required }) => [
      String(position),
      code(name),
      escaped(type) + [one, other].map((values) => (values ? ` <a href="#${values}">${values}</a>` : "")).join(""),
      escaped(rule) + (required ? "" : "; may be left out"),
    ]),
  );
}

/** Parameters as a first request would have them. */
function exampleOf({ name }: LegacySocketChannel): readonly unknown[] {
  const depth = ["BTCUSDT", 20, "0", true];
  const examples: Readonly<Record<string, readonly unknown[]>> = {
    depth,
    depth_multi: [depth],
    kline: ["BTCUSDT", 60],
    asset: ["USDT"],
    notice: [],
  };
  return examples[name] ?? ["BTCUSDT"];
}

function enumsNamed({ values, calls, channels }: LegacySocketContract): Set<string> {
  const rows = [
    ...calls.map(({ params }) => params),
    ...channels.map(({ subscribe: { params } }) => ("kind" in params ? (params.item_params ?? []) : params)),
  ].flat();
  const named = rows.flatMap(({ enum: one, futures_enum: other }) => [one, other]);
  const types = [
    ...calls.map(({ result }) => result.record ?? ""),
    ...channels.flatMap(({ update }) => update.params.map(({ record, type }) => record ?? itemOf(type))),
  ];
  return new Set([...named.filter((name) => typeof name === "string"), ...enumsOf(values, types)]);
}
