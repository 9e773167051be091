import { type Contract, type Endpoint, endpointName } from "../../src/gateway/current/contract.ts";
import { isCount, type Json, RecordJudge } from "./record-shape.ts";

/**
 * Whether a successful answer is exactly what the contract promises: the envelope, and of every record neither a field
 * less nor one more, each of its type. Gives sentences that name what is wrong; empty when all is well. `params` are
 * those of the request: where the record depends on one, they say which it is.
 */
export function shapeBreaches(contract: Contract, endpoint: Endpoint, envelope: unknown, params: Json = {}): string[] {
  const judge = new RecordJudge(contract, endpointName(endpoint));
  judgeEnvelope(judge, endpoint, envelope, params);
  return judge.breaches;
}

/** Whether a refusal has the shape of one, with this code. */
export function refusalBreaches(envelope: unknown, code: number): string[] {
  const expected = JSON.stringify({ code, data: {}, message: "" });
  const { message, ...rest } = envelope as { message?: unknown };
  const shown = JSON.stringify({ ...rest, message: "" });
  if (shown !== expected) return [`A refusal with code ${code} was expected, not ${JSON.stringify(envelope)}.`];
  return typeof message === "string" && message !== "" ? [] : ["A refusal says nothing in its message."];
}

function judgeEnvelope(judge: RecordJudge, { result }: Endpoint, envelope: unknown, params: Json): void {
  const { kind, pagination, record_by } = result;
  const record = (record_by?.values[String(params[record_by.param])] ?? result.record) as string;
  const keys = kind === "page" ? ["code", "data", "pagination", "message"] : ["code", "data", "message"];
  if (!judge.object(envelope, keys, "the envelope")) return;
  const { code, data, message } = envelope;
  judge.expect(code === 0, "code", `is ${code}`);
  judge.expect(message === "OK", "message", `is ${message}`);
  switch (kind) {
    case "empty":
      judge.object(data, [], "data");
      break;
    case "object":
      judge.record(data, record, "data");
      break;
    case "batch":
      judge.each(data, "data", (element, where) => judgeElement(judge, element, record, where));
      break;
    default:
      judge.each(data, "data", (row, where) => judge.record(row, record, where));
  }
  if (kind !== "page" || !judge.object(envelope["pagination"], pagination, "pagination")) return;
  const { has_next, total } = envelope["pagination"];
  judge.expect(typeof has_next === "boolean", "pagination.has_next", "is no boolean");
  if (pagination.includes("total")) judge.expect(isCount(total), "pagination.total", "is no count");
}

function judgeElement(judge: RecordJudge, element: unknown, record: string, where: string): void {
  if (!judge.object(element, ["code", "data", "message"], where)) return;
  judge.expect(typeof element["message"] === "string", where, "has no message");
  if (element["code"] === 0) judge.record(element["data"], record, `${where}.data`);
  else judge.expect(element["data"] === null, where, "has failed and yet holds data");
}
