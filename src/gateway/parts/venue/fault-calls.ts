/** Faults on purpose: those of the log, and those that clients are tried against. */
import { LOG_FAULTS } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { factor, oneOf, optional, required, text, whole } from "../../admin/field.ts";
import type { Fault } from "../../faults/faults.ts";
import { DROPS, FAULTS, faultText, refuseTerms } from "../../faults/terms.ts";
import { invalidParameter } from "../../refused.ts";

const DEV_ONLY = invalidParameter("faults can be injected only in the dev profile.");
const FAULT_MS_MAX = 600_000;
const COUNT_MAX = 1_000_000_000;
/** A request looks at all of them. */
const FAULTS_MAX = 100;
const ID_MAX = 1_000_000_000;

const create = call({
  method: "POST",
  path: "/admin/faults",
  verbs: {
    "fault create": "Let something of a dev venue fail on purpose: requests, sockets, index sources, or its log.",
  },
  fields: {
    fault: required(
      oneOf([...FAULTS, ...LOG_FAULTS]),
      "what goes wrong; write and sync end the venue at its log's next group",
    ),
    match: optional(
      text("MATCH", 1, 200),
      "whom it strikes: a path, user_id=N, a channel or a method of sockets, a market of stale_index; everybody " +
        "unless given",
    ),
    share: optional(factor("SHARE", 1), "part of what matches, drawn from the seed; all unless given"),
    ms: optional(whole("MS", 1, FAULT_MS_MAX), "how long a delay, a stall or a silence lasts"),
    count: optional(whole("N", 1, COUNT_MAX), "ends when it has struck so often; never unless given"),
    when: optional(
      oneOf(DROPS),
      "of drop and timeout: whether it strikes before or after the effect; before unless given",
    ),
  },
  serve(backend, { fault, ...more }) {
    if (fault === "write" || fault === "sync") {
      if (backend.injectFault === undefined) {
        return invalidParameter("faults of the log can be injected only in the dev profile with a data directory.");
      }
      backend.injectFault(fault);
      return { fault };
    }
    const { faults } = backend;
    if (faults === undefined) return DEV_ONLY;
    const terms = { fault, ...more };
    const refused = refuseTerms(terms);
    if (refused !== undefined) return refused;
    if (faults.list().length >= FAULTS_MAX) return invalidParameter(`there are ${FAULTS_MAX} faults already.`);
    const faultId = faults.reserve();
    return execute(backend, { kind: "note", text: `fault ${faultId} begins: ${faultText(terms)}` }, () =>
      shown(faults.begin(faultId, terms)),
    );
  },
});

const list = call({
  method: "GET",
  path: "/admin/faults",
  verbs: { "fault list": "Show the faults that hold, and how often each has struck." },
  fields: {},
  serve: ({ faults }) => (faults === undefined ? DEV_ONLY : { faults: faults.list().map(shown) }),
});

const end = call({
  method: "DELETE",
  path: "/admin/faults/FAULT_ID",
  verbs: { "fault delete": "End a fault." },
  fields: { fault_id: required(whole("FAULT_ID", 1, ID_MAX), "its number") },
  serve(backend, { fault_id }) {
    const { faults } = backend;
    if (faults === undefined) return DEV_ONLY;
    if (!faults.end(fault_id)) return invalidParameter("there is no such fault.");
    return execute(backend, { kind: "note", text: `fault ${fault_id} is ended` }, () => ({ fault_id }));
  },
});

const clear = call({
  method: "DELETE",
  path: "/admin/faults",
  verbs: { "fault clear": "End all faults." },
  fields: {},
  serve(backend) {
    const { faults } = backend;
    if (faults === undefined) return DEV_ONLY;
    const ended = faults.list().length;
    faults.end();
    return execute(backend, { kind: "note", text: `all faults are ended, ${ended} of them` }, () => ({ ended }));
  },
});

function shown({ faultId, fault, match, share, ms, count, when, struck }: Fault) {
  return { fault_id: faultId, fault, match, share, ms, count, when, struck };
}

export const FAULT_CALLS: readonly AdminCall[] = [create, list, end, clear];
