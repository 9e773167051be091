/** Changes of single rules, each of which must make some world go wrong. */
import type { Plant } from "../support/plant-fault.ts";

export interface PlantedFault {
  readonly name: string;
  /** The module of the rule, in src/cluster; of the store's own rules that of its model. */
  readonly module: string;
  readonly plant: Plant;
  /** The first world that is tried; 1 unless given, for what is rare. */
  readonly from?: number;
}

const LEADERSHIP = "ordering/leadership.ts";
const ORDERING = "ordering/ordering.ts";
const ELECTION = "ordering/election.ts";
const READER = "store-reader.ts";
const BARRIER = "read-barrier.ts";
const MODEL = "../../test/cluster/model-store.ts";

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "the store does not ask whether the leader still leads",
    module: MODEL,
    plant: { code: "if (this.#leader?.term === term && there === undefined) {", instead: "if (there === undefined) {" },
  },
  {
    name: "what was taken out of the store is not counted",
    module: MODEL,
    plant: {
      code: "const place = Math.max(from - 1, this.#base.place) + this.#placesFrom(from).length;",
      instead: "const place = from - 1 + this.#placesFrom(from).length;",
    },
  },
  {
    name: "a read of the store does not say who leads at its revision",
    module: MODEL,
    plant: { code: "leader: this.#leader };\n  }\n\n  endFrom", instead: "leader: undefined };\n  }\n\n  endFrom" },
  },
  {
    name: "groups from another node leave in doubt what was put nowhere",
    module: ORDERING,
    plant: { code: "if (this.#proposals.areOut) {", instead: "if (this.#proposals.waiting.length > 0) {" },
  },
  {
    name: "a leader takes a proposal as often as it comes",
    module: LEADERSHIP,
    plant: { code: "if (token !== taken + 1) return;", instead: "" },
  },
  {
    name: "a leader takes a proposal before the one ahead of it",
    module: LEADERSHIP,
    plant: { code: "if (token !== taken + 1) return;", instead: "if (token <= taken) return;" },
  },
  {
    name: "a leader takes proposals of another term",
    module: LEADERSHIP,
    plant: { code: "if (term !== this.#parts.term || this.#isOver) return;", instead: "" },
    from: 160,
  },
  {
    name: "a put without an answer counts as in",
    module: LEADERSHIP,
    plant: {
      code: '      case "unknown":\n        this.#againAt = this.#ports.now() + AGAIN_MS;',
      instead: '      case "unknown":\n        this.#isIn();',
    },
  },
  {
    name: "a put that the store had no room for counts as in",
    module: LEADERSHIP,
    plant: {
      code: "this.#againAt = this.#ports.now() + FULL_MS;\n        return;",
      instead: "this.#isIn();\n        return;",
    },
  },
  {
    name: "two puts are under way at a time",
    module: LEADERSHIP,
    plant: { code: "if (this.#isOver || this.#underWay !== undefined) return;", instead: "if (this.#isOver) return;" },
  },
  {
    name: "stamps follow a clock that falls back",
    module: LEADERSHIP,
    plant: { code: "Math.max(this.#ports.timeMs(), this.#tip.timeMs)", instead: "this.#ports.timeMs()" },
  },
  {
    name: "what is ordered alone does not wait until all before it is applied",
    module: LEADERSHIP,
    plant: { code: "if (this.#appliedSeq !== this.#tip.seq) return [];", instead: "" },
  },
  {
    name: "a new leader forgets what waits with itself",
    module: ORDERING,
    plant: { code: "for (const proposal of this.#proposals.waiting) this.#order(leadership, proposal);", instead: "" },
  },
  {
    name: "whoever led goes on when another one leads",
    module: ORDERING,
    plant: {
      code: "this.#leadership?.end();\n    this.#leadership = undefined;\n    this.#leader = leader;",
      instead: "this.#leader = leader;",
    },
  },
  {
    name: "a process takes what one before it proposed for its own",
    module: ORDERING,
    plant: {
      code: "origin.node === this.#self.node && origin.boot === this.#self.boot;",
      instead: "origin.node === this.#self.node;",
    },
  },
  {
    name: "nobody asks whose groups another node hands over",
    module: ORDERING,
    plant: {
      code: "if (this.#proposals.areOut) {\n      this.#fail",
      instead: "if (false as boolean) {\n      this.#fail",
    },
  },
  {
    name: "a call to lead is made once",
    module: ELECTION,
    plant: { code: "this.#isCalling = false;\n    });", instead: "});" },
  },
  {
    name: "who comes to lead is heard of before what was put before",
    module: READER,
    plant: { code: "    if (!isWhole) {\n", instead: "    this.#hear(leader);\n    if (!isWhole) {\n" },
  },
  {
    name: "a page passes for the whole",
    module: READER,
    plant: { code: "if (!isWhole) {", instead: "if (false as boolean) {" },
  },
  {
    name: "what a watch tells twice is taken twice",
    module: READER,
    plant: { code: "if (place <= this.#place) return;\n    if", instead: "if" },
  },
  {
    name: "nobody looks after a watch that says nothing",
    module: READER,
    plant: { code: "now - this.#lookAt >= LOOK_MS", instead: "(false as boolean)" },
  },
  {
    name: "nobody looks whether somebody else leads",
    module: READER,
    plant: { code: " && end.term === this.#term) return;", instead: ") return;" },
    from: 940,
  },
  {
    name: "a watch begins where the store began",
    module: READER,
    plant: { code: "this.#watch(revision + 1);", instead: "this.#watch(1);" },
  },
  {
    name: "a watch misses a revision",
    module: READER,
    plant: { code: "this.#watch(revision + 1);", instead: "this.#watch(revision + 2);" },
  },
  {
    name: "what has left the store is not missed",
    module: READER,
    plant: { code: "if (base.place > this.#place) {", instead: "if (false as boolean) {" },
  },
  {
    name: "a read asks nobody",
    module: BARRIER,
    plant: { code: "asked.place = end.place;", instead: "asked.place = this.#options.place();" },
  },
  {
    name: "a store that says nothing is taken for one that has nothing",
    module: BARRIER,
    plant: { code: "if (end === undefined) {", instead: "if (end === undefined) {\n        this.#end(asked, true);" },
  },
  {
    name: "who waits too long is told that he is current",
    module: BARRIER,
    plant: { code: "this.#end(waiting, false);", instead: "this.#end(waiting, true);" },
  },
  {
    name: "a read waits for one group less",
    module: BARRIER,
    plant: { code: "waiting.place > place)", instead: "waiting.place - 1 > place)" },
  },
];
