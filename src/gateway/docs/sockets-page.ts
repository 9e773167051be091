/** The page `/docs/sockets`: every call and channel of the sockets that are served, made from the contract. */
import { readFileSync } from "node:fs";
import type { RecordType } from "../request/rules.ts";
import {
  isOn,
  type MarketKind,
  type SocketCall,
  type SocketChannel,
  type SocketContract,
  type SocketError,
  type SocketParam,
} from "../ws/contract.ts";

/** The page for the sockets of these kinds of market. */
export function socketsPage(contract: SocketContract, kinds: readonly MarketKind[]): string {
  const isServed = (entry: Parameters<typeof isOn>[1]) => kinds.some((kind) => isOn(kind, entry));
  const channels = contract.channels.filter(isServed);
  const endpoints = contract.endpoints.filter(({ markets }) => kinds.includes(markets));
  const template = readFileSync(new URL("sockets.html", import.meta.url), "utf8");
  return filled(template, {
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
    enums: enumTables(contract, channels),
    idle: String(contract.idleCloseMs / 1_000),
  });
}

function idOf({ name, markets }: SocketChannel): string {
  return `${name}-${markets}`;
}

function briefly({ signed, frequency }: SocketChannel): string {
  return `${escaped(frequency)}${signed ? "; after login" : ""}`;
}

function callSection(contract: SocketContract, { method, params, result, notes }: SocketCall): string {
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
    `<h4>${code(update.method)}: data</h4>${recordTables(contract, update.record)}` +
    list(notes.map(escaped));
  return section(idOf(channel), markets === "both" ? name : `${name} (${markets})`, body);
}

/** A record and those that it holds, each once. */
function recordTables(contract: SocketContract, name: string, shown = new Set<string>()): string {
  const record = contract.values.records.get(name);
  if (record === undefined || shown.has(name)) return "";
  shown.add(name);
  const inner = record.fields.map(({ type }) => recordTables(contract, itemOf(type), shown)).join("");
  const title = shown.size > 1 ? `<h5>${code(name)}</h5>` : "";
  return title + recordTable(record) + inner;
}

function recordTable({ fields, kind }: RecordType): string {
  const rows = fields.map(({ name, type, enum: values, meaning }) => [
    code(name),
    escaped(type) + (values ? ` <a href="#${values}">${values}</a>` : ""),
    escaped(meaning),
  ]);
  return table([kind === "tuple" ? "Member" : "Field", "Type", "Meaning"], rows);
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

/** The enumerations that channels and their records name. */
function enumTables(contract: SocketContract, channels: readonly SocketChannel[]): string {
  const named = new Set<string>();
  const visited = new Set<string>();
  const visit = (recordName: string) => {
    if (visited.has(recordName)) return;
    visited.add(recordName);
    for (const field of contract.values.records.get(recordName)?.fields ?? []) {
      if (field.enum) named.add(field.enum);
      visit(itemOf(field.type));
    }
  };
  for (const { subscribe, update } of channels) {
    visit(update.record);
    for (const { type, enum: values } of subscribe.params) {
      if (values) named.add(values);
      visit(itemOf(type));
    }
  }
  return [...named]
    .map((name) => {
      const values = contract.values.enums.get(name)?.values ?? [];
      const rows = values.map(({ value, meaning }) => [code(JSON.stringify(value)), escaped(meaning ?? "")]);
      return `<h4 id="${name}">${name}</h4>${table(["Value", "Meaning"], rows)}`;
    })
    .join("\n");
}

/** Parameters as a first request would have them. */
function exampleOf(params: readonly SocketParam[]): Record<string, unknown> {
  const [first] = params as [SocketParam];
  if (first.type === "array<DepthSubscription>") return { [first.name]: [["BTCUSDT", 20, "0", false]] };
  if (first.type === "array<int>") return { [first.name]: [] };
  return { [first.name]: [first.name === "ccy_list" ? "USDT" : "BTCUSDT"] };
}

function itemOf(type: string): string {
  return /^array<(\w+)>$/.exec(type)?.[1] ?? type;
}

function section(id: string, title: string, body: string): string {
  return `<section id="${id}"><h3>${code(title)}</h3>${body}</section>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Puts the parts, which are HTML, in place of `{{name}}`. */
function filled(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`The page of the sockets names ${name}, which nobody gives.`);
    return part;
  });
}
