import type { Course } from "./course.ts";
import { LogsDiffer, TailStrayed, VenuesDiffer } from "./faults.ts";
import type { HeldLog } from "./held-log.ts";
import { type AgreementPorts, hexOf, type Tail } from "./ports.ts";
import type { Promises } from "./promises.ts";

type Ports = Pick<AgreementPorts, "readGroups" | "begin" | "cut">;

/** How the log of this node comes to be that of the others: it is made, caught up from their disks, or cut back where they went on without its end. */
export class Joining {
  readonly #log: HeldLog;
  readonly #promises: Promises;
  readonly #ports: Ports;
  #venueId: string | undefined;
  #isBeginning = false;

  constructor(log: HeldLog, promises: Promises, venueId: string | undefined, ports: Ports) {
    this.#log = log;
    this.#promises = promises;
    this.#venueId = venueId;
    this.#ports = ports;
  }

  /** Undefined: there is no log yet. */
  get venueId(): string | undefined {
    return this.#venueId;
  }

  /** The log is being made or cut back, until `began`. */
  get isBeginning(): boolean {
    return this.#isBeginning;
  }

  /** Why the log of `venueId`, which the others have, cannot be that of this node. */
  refusalOf(venueId: string): VenuesDiffer | undefined {
    if (this.#venueId === undefined || this.#venueId === venueId) return undefined;
    return new VenuesDiffer(`This node has the log of venue ${this.#venueId}, the others have that of ${venueId}`);
  }

  /** Makes a log of that venue where there is none yet; the others have it up to `seq` at least. */
  beginIfNone(venueId: string, seq: number): void {
    if (this.#venueId !== undefined || this.#isBeginning) return;
    this.#isBeginning = true;
    this.#ports.begin(venueId, seq);
  }

  /** The log was made, or cut back, and ends here. */
  began(venueId: string, tail: Tail): void {
    this.#isBeginning = false;
    this.#venueId = venueId;
    this.#log.beginAt(tail);
  }

  /**
   * Brings the log to where the course begins. `outdated`: the log is further than what is known of the course. Gives what must not be;
   * `leader` is whose log is taken for that of the others.
   */
  align(course: Course, leader: string): "aligned" | "outdated" | "waits" | Error {
    const { generation, from } = course;
    const { tail } = this.#log;
    const { adopted } = this.#promises;
    if (tail.seq < from.seq) {
      course.asked();
      this.#ports.readGroups(tail, from.seq);
      return "waits";
    }
    if (tail.seq > from.seq && generation === adopted) return "outdated";
    if (tail.seq > from.seq) return this.cutBack(course, from.seq, leader);
    if (hexOf(tail.hash) !== hexOf(from.hash)) return this.cutBack(course, from.seq - 1, leader);
    if (adopted !== generation) this.#promises.adopt(generation);
    return "aligned";
  }

  /** Takes what lies behind `toSeq` out of the log, which no quorum of nodes had. Only a start may do so with what was applied. */
  cutBack({ generation }: Course, toSeq: number, leader: string): "waits" | Error {
    const { seq } = this.#log.tail;
    if (generation === this.#promises.adopted) return new LogsDiffer(seq, leader);
    if (toSeq < 0 || !this.#log.isSynced || !this.#ports.cut(toSeq)) return new TailStrayed(seq);
    this.#isBeginning = true;
    this.#log.letGo();
    return "waits";
  }
}
