/**
 * Everything that one human can do to a venue whose operators' calls he may all make, in every order of so many calls:
 * from each state all calls are tried, and each state that comes of them is gone on from once. The engine itself
 * decides; only its operators are kept apart from state to state, since whether money moved is seen from the answers.
 */
import { createHash } from "node:crypto";
import { Engine } from "../../src/engine/engine.ts";
import { carryOut } from "../../src/engine/json-command.ts";
import { Operators } from "../../src/engine/operators/operators.ts";
import { operatorsSection } from "../../src/engine/operators/operators-section.ts";
import type { State } from "../../src/engine/state.ts";

/** The bounds of USDT: what one call, one recipient a day, and a day moves without a second person. */
const BOUND = { call: 10, recipient: 10, day: 20 };
const BIG = BOUND.call + 1;
const DAY_MS = 86_400_000;
const START_MS = 20_000 * DAY_MS;

type Command = Readonly<Record<string, unknown>> & { readonly kind: string; readonly actor?: string };

export interface Scene {
  readonly name: string;
  /** So many calls are tried in every order. States hardly multiply where nobody else acts. */
  readonly depth: number;
  readonly rulesVersion: number;
  /** What has happened before. Tokens and codes of names that do not begin with "his" are other people's. */
  readonly before: readonly (Command | "day")[];
  /** Whether he has the token of root. */
  readonly hasRoot: boolean;
  /** Names that he may make operators of, besides those that there are. */
  readonly names: readonly string[];
  /**
   * Whether he also moves what is within the bounds: that changes nothing of who may do what, and has a scene of its
   * own.
   */
  readonly movesSmall?: boolean;
  /**
   * Somebody else who consents to whatever is asked about operators, and gives his code to nobody but the new operator.
   */
  readonly obliging?: string;
}

export interface Found {
  /** Calls that end in what must not be; undefined when there are none. */
  readonly path: readonly string[] | undefined;
  readonly states: number;
  readonly calls: number;
}

interface Place {
  readonly operators: Uint8Array;
  readonly timeMs: number;
  /** USDT that moved today without a second person, by recipient. */
  readonly moved: Readonly<Record<string, number>>;
  readonly path: readonly string[];
}

export const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
/** What he enrols with where he has taken somebody's place, or was let in. */
const HIS_TOKEN = (name: string) => hashOf(`his token of ${name}`);
/** Codes that he was shown: as who asked, and as who consented. */
const HIS_CODES = [hashOf("his first code"), hashOf("his second code")];
export const hisEnrolment = (name: string): Command => ({
  ...{ kind: "enrol_operator", actor: name, name, codeHashes: HIS_CODES, tokenHash: HIS_TOKEN(name) },
});

const RECIPIENTS = [1, 2, 3];
/** Nothing waits longer than a day. */
const DAYS_MAX = 2;

export class OneHuman {
  readonly #engine = new Engine();
  readonly #scene: Scene;
  readonly #lastMs: number;
  #calls = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    const { state } = this.#engine;
    state.timeMs = START_MS;
    this.#must({ kind: "list_asset", ccy: "USDT", scale: 8 });
    for (const name of ["alice", "bob", "carol"]) this.#must({ kind: "create_user", name });
    for (const userId of RECIPIENTS) this.#must({ kind: "deposit", userId, ccy: "USDT", amount: "1000000", note: "" });
    state.rulesVersion = scene.rulesVersion;
    for (const each of scene.before) {
      if (each === "day") state.timeMs += DAY_MS;
      else this.#must(each);
    }
    this.#lastMs = state.timeMs + DAYS_MAX * DAY_MS;
  }

  /** Looks for calls that end in what must not be. */
  explore(depth = this.#scene.depth): Found {
    const { state } = this.#engine;
    const first: Place = { operators: this.#written(), timeMs: state.timeMs, moved: {}, path: [] };
    const seen = new Set([this.#keyOf(first)]);
    let places = [first];
    for (let call = 1; call <= depth; call++) {
      const next: Place[] = [];
      for (const place of places) {
        const commands = this.#callsFrom(place);
        let isThere = true;
        for (const command of commands) {
          // A refused command has changed nothing.
          if (!isThere) this.#restored(place);
          const after = this.#after(place, command);
          isThere = after === undefined;
          if (after === undefined || after === "nothing new") continue;
          if (after === "broken") {
            return { path: [...place.path, JSON.stringify(command)], states: seen.size, calls: this.#calls };
          }
          const key = this.#keyOf(after);
          if (seen.has(key)) continue;
          seen.add(key);
          next.push(after);
        }
      }
      places = next;
    }
    return { path: undefined, states: seen.size, calls: this.#calls };
  }

  #must(command: Command): void {
    const { refusal, detail } = carryOut(this.#engine.state, command) as { refusal?: string; detail?: string };
    this.#engine.events.clear();
    if (refusal !== undefined) throw new Error(`${JSON.stringify(command)}: ${detail}`);
  }

  /** All that he can try. */
  #callsFrom(place: Place): (Command | "day")[] {
    const { operators } = this.#restored(place);
    const { hasRoot, names, obliging, rulesVersion, movesSmall = false } = this.#scene;
    const isOld = rulesVersion < 5;
    const own = [...operators.byName.values()].filter(({ name, tokenHash }) => tokenHash === HIS_TOKEN(name));
    const actors = [...(hasRoot ? ["root"] : []), ...own.map(({ name }) => name)];
    const everybody = [...new Set([...operators.byName.keys(), ...names])];
    const calls: (Command | "day")[] = ["day"];
    for (const actor of actors) {
      const ask = (command: Command) => {
        calls.push({ ...command, actor });
      };
      if (movesSmall) {
        for (const userId of RECIPIENTS.slice(0, 2)) ask(moved("deposit", userId, BOUND.call));
        ask(moved("adjust_balance", 3, -BOUND.call));
      }
      // Before rules version 5 the gateway sent what was above a bound as a proposal.
      if (isOld) ask({ kind: "propose", command: JSON.stringify(moved("deposit", 1, BIG)) });
      else {
        ask(moved("deposit", 1, BIG));
        ask({ kind: "set_four_eyes", bounds: [] });
        ask({ kind: "create_api_key", userId: 1, ...KEY });
      }
      for (const name of everybody) {
        if (!operators.byName.has(name)) {
          for (const role of ["viewer", "treasurer", "admin"]) {
            ask({ kind: "create_operator", name, role, codeHash: HIS_CODES[0] });
            ask({ kind: "create_operator", name, role, tokenHash: HIS_TOKEN(name) });
          }
        } else {
          ask({ kind: "reset_operator", name, codeHash: HIS_CODES[0] });
          ask({ kind: "change_operator", name, tokenHash: HIS_TOKEN(name) });
          ask({ kind: "delete_operator", name });
          for (const role of ["viewer", "treasurer", "admin"]) ask({ kind: "change_operator", name, role });
        }
      }
      for (const approvalId of operators.approvals.keys()) {
        ask({ kind: "decide", approvalId, approve: true, codeHash: HIS_CODES[1] });
        ask({ kind: "decide", approvalId, approve: false });
      }
    }
    for (const { name, enrolment } of operators.byName.values()) {
      if (enrolment !== undefined) calls.push(hisEnrolment(name));
    }
    if (obliging !== undefined) {
      for (const { approvalId, command } of operators.approvals.values()) {
        if (!/_operator$/.test(command.kind)) continue;
        calls.push({
          kind: "decide",
          actor: obliging,
          approvalId,
          approve: true,
          codeHash: hashOf("code of somebody else"),
        });
      }
    }
    return calls;
  }

  /** Where a call leads; undefined: nowhere. */
  #after(place: Place, command: Command | "day"): Place | "broken" | "nothing new" | undefined {
    const { state } = this.#engine;
    const path = [...place.path, typeof command === "string" ? command : JSON.stringify(command)];
    if (command === "day") {
      // Time enough for everything that waits a day to have waited.
      if (place.timeMs >= this.#lastMs) return undefined;
      return { ...place, timeMs: place.timeMs + DAY_MS, moved: {}, path };
    }
    const { approvals } = state.operators;
    const before = approvals.size;
    this.#calls++;
    const answer = carryOut(state, command);
    this.#engine.events.clear();
    if (answer.refusal !== undefined) return undefined;
    if (command.kind === "decide" && command["approve"] === true && command.actor !== this.#scene.obliging)
      return "broken";
    let { moved: sums } = place;
    const isWaiting = "approvalId" in (answer.result as object) && command.kind !== "decide";
    if (!isWaiting && (command.kind === "deposit" || command.kind === "adjust_balance")) {
      const recipient = String(command["userId"]);
      sums = { ...sums, [recipient]: (sums[recipient] ?? 0) + Math.abs(Number(command["amount"])) };
      const all = Object.values(sums).reduce((sum, each) => sum + each, 0);
      if ((sums[recipient] as number) > BOUND.recipient || all > BOUND.day) return "broken";
    }
    if (!isWaiting && (command.kind === "set_four_eyes" || command.kind === "create_api_key")) return "broken";
    // The same wish waits no more than once, and few at a time; the state is another all the same, and is put back.
    if (isWaiting && (before >= WAITING_MAX || hasTwins([...approvals.values()].map(wishOf)))) return "nothing new";
    return { operators: this.#written(), timeMs: place.timeMs, moved: sums, path };
  }

  #restored({ operators, timeMs }: Place): State {
    const { state } = this.#engine;
    Object.assign(state, { operators: new Operators(), timeMs });
    operatorsSection.read(state, [operators], operatorsSection.version);
    return state;
  }

  #written(): Uint8Array {
    return operatorsSection.write(this.#engine.state)[0] as Uint8Array;
  }

  /** Equal for states that differ in numbers that were given out and in times that are over. */
  #keyOf({ operators, timeMs, moved: sums }: Place): string {
    const words = JSON.parse(Buffer.from(operators).toString());
    const people = words.operators.map((one: Record<string, unknown>) => [
      ...[one["name"], one["role"], one["tokenHash"], one["enrolment"], one["isVouched"]],
      Math.max(0, Number(one["consentsFrom"] ?? 0) - timeMs),
    ]);
    const waits = words.approvals.map(wishOf).sort();
    return JSON.stringify([people.sort(), waits, words.bounds, words.isDual, (timeMs - START_MS) / DAY_MS, sums]);
  }
}

/** So many wait at a time: who wants more of them asks when one of these is done. */
const WAITING_MAX = 2;

const KEY = { accessId: "K", secretCipher: "C", permissions: ["withdraw"], ipWhitelist: [], expiredAt: 0 };

function moved(kind: string, userId: number, amount: number): Command {
  return { kind, userId, ccy: "USDT", amount: String(amount), note: "why" };
}

function hasTwins(wishes: readonly string[]): boolean {
  return new Set(wishes).size < wishes.length;
}

function wishOf({ command }: { readonly command: object }): string {
  return JSON.stringify(command);
}
