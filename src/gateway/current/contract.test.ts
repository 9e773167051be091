import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { boundOf, type ValueRule } from "../request/rules.ts";
import { type Contract, endpointName, loadContract } from "./contract.ts";

const contract = loadContract();

test("every file of the current contract is loaded", () => {
  const folder = new URL("../../../contract/current/", import.meta.url);
  let endpoints = 0;
  for (const file of readdirSync(folder)) {
    const content = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { endpoints?: unknown[] };
    endpoints += content.endpoints?.length ?? 0;
  }
  assert.equal(contract.endpoints.length, endpoints);
  assert.equal(new Set(contract.endpoints.map(endpointName)).size, endpoints, "two endpoints share a method and path");
});

test("a record that several areas repeat is the same in all of them", () => {
  const folder = new URL("../../../contract/current/", import.meta.url);
  for (const file of readdirSync(folder)) {
    const { records } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
      records?: Record<string, unknown>;
    };
    for (const [name, record] of Object.entries(records ?? {})) {
      assert.deepEqual(record, contract.records.get(name), `${name} in ${file}`);
    }
  }
});

test("every record, enumeration, form, limit, group and alias that is named exists", () => {
  const groups = new Set(contract.rateGroups.map((group) => group.name));
  const paths = new Set(contract.endpoints.map((endpoint) => endpoint.path));
  for (const endpoint of contract.endpoints) {
    const name = endpointName(endpoint);
    for (const param of endpoint.params) assertNamesExist(contract, param, `${name} ${param.name}`);
    const { record, record_by } = endpoint.result;
    assert.equal(record === null, endpoint.result.kind === "empty", name);
    for (const each of [record ?? [], Object.values(record_by?.values ?? {})].flat()) {
      assert.ok(contract.records.has(each), `${name} answers with the unknown record ${each}`);
    }
    if (endpoint.group !== null) assert.ok(groups.has(endpoint.group), `${name} is in the unknown group`);
    if (endpoint.alias_of !== undefined) assert.ok(paths.has(endpoint.alias_of), `${name} is an alias of nothing`);
    assert.equal(endpoint.signed, endpoint.permission !== undefined, `${name}: signed means a permission`);
    assert.equal(endpoint.signed, endpoint.callers !== undefined, `${name}: signed means callers`);
  }
  for (const [name, record] of contract.records) {
    for (const field of record.fields) assertNamesExist(contract, field, `${name}.${field.name}`);
  }
});

test("a GET endpoint takes its parameters from the query and a POST endpoint from the body", () => {
  for (const endpoint of contract.endpoints) {
    const place = endpoint.method === "GET" ? "query" : "body";
    for (const param of endpoint.params) assert.equal(param.in, place, `${endpointName(endpoint)} ${param.name}`);
  }
});

const SCALARS = new Set(["string", "int", "decimal", "bool", "object"]);

function assertNamesExist(contract: Contract, rule: ValueRule, where: string): void {
  const inner = rule.type
    .replace(/^(?:array|object)</, "")
    .replace(/>+$/, "")
    .replace(/^array</, "");
  assert.ok(SCALARS.has(inner) || contract.records.has(inner), `${where} has the unknown type ${rule.type}`);
  if (rule.enum) assert.ok(contract.enums.has(rule.enum), `${where} has the unknown enumeration ${rule.enum}`);
  if (rule.form !== undefined && rule.form !== "market_list" && rule.form !== "id_list") {
    assert.ok(contract.forms.has(rule.form), `${where} has the unknown form ${rule.form}`);
  }
  for (const bound of [rule.min, rule.max, rule.min_items, rule.max_items]) boundOf(contract, bound);
}
