import { type LegacyContract, type LegacyEndpoint, legacyName } from "../../src/gateway/legacy/contract.ts";
import { type Json, RecordJudge } from "./record-shape.ts";

/**
 * Whether a successful answer of the legacy generation is exactly what its contract promises, as `shapeBreaches` says
 * of the current one. `params` are those of the request: where the result depends on one, they say which it is.
 */
export function legacyBreaches(
  contract: LegacyContract,
  endpoint: LegacyEndpoint,
  envelope: unknown,
  params: Json = {},
): string[] {
  const judge = new RecordJudge(contract, legacyName(endpoint));
  if (!judge.object(envelope, ["code", "data", "message"], "the envelope")) return judge.breaches;
  const { code, data, message } = envelope;
  const success = endpoint.signed && contract.base === "/v1" ? "Success" : "Ok";
  judge.expect(code === 0, "code", `is ${code}`);
  judge.expect(message === success, "message", `is ${message}, not ${success}`);
  judgeData(judge, endpoint, data, params);
  return judge.breaches;
}

function judgeData(judge: RecordJudge, { result, notes }: LegacyEndpoint, data: unknown, params: Json): void {
  const { kind, record, item, values, wrapper, page, list_without: named, depth } = result;
  const each = (value: unknown, where: string) => {
    if (values === "array") judge.each(value, where, (one, at) => judge.record(one, record as string, at));
    else if (record === null) judge.value(value, item as string, undefined, where);
    else judge.record(value, record, where);
  };
  switch (kind) {
    case "empty":
      judge.object(data, [], "data");
      break;
    case "map":
      judge.map(data, "data", (member, at) => (depth === 2 ? judge.map(member, at, each) : each(member, at)));
      break;
    case "array":
      judge.each(data, "data", (one, at) =>
        wrapper === undefined ? each(one, at) : judgeElement(judge, one, { wrapper, record: record as string }, at),
      );
      break;
    case "page":
      judgePage(judge, data, page as string, each);
      break;
    case "object":
      if (named !== undefined && params[named] === undefined) judge.each(data, "data", each);
      // Where there may be nothing to show the contract says so in words.
      else if (!(isEmpty(data) && notes?.some((note) => note.includes("data {}")))) each(data, "data");
      break;
    default:
      each(data, "data");
  }
}

/** A page is judged with its rows taken out, since the rows are of another record than the page says. */
function judgePage(judge: RecordJudge, data: unknown, page: string, each: (row: unknown, where: string) => void): void {
  if (!judge.object(data, [], "data", () => true)) return;
  const key = "records" in data ? "records" : "data";
  judge.record({ ...data, [key]: [] }, page, "data");
  judge.each(data[key], `data.${key}`, each);
}

/** One of many that succeed and fail apart. */
function judgeElement(
  judge: RecordJudge,
  element: unknown,
  { wrapper, record }: { wrapper: string; record: string },
  where: string,
): void {
  if (!judge.object(element, [], where, () => true)) return;
  judge.record({ ...element, data: null }, wrapper, where);
  if (element["code"] === 0) judge.record(element["data"], record, `${where}.data`);
  else judge.expect(isEmpty(element["data"]), where, "has failed and yet holds data");
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
