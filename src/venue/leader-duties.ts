import { setTimeout as pause } from "node:timers/promises";
import type { ReplicatedLog } from "../cluster/replicated-log.ts";
import { encodeCommand } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { WordBuffer } from "../engine/words.ts";
import type { AdminCluster } from "../gateway/admin/backend.ts";
import { epochBehind, isEpochDue } from "./epoch.ts";
import { NodePrograms } from "./node-programs.ts";

/** Whether all nodes have this program's rules by now is looked at this often. */
export const LOOK_MS = 5_000;
const WAIT_MS = 20;

export interface LeaderDutiesOptions {
  readonly node: { readonly engine: Engine };
  readonly log: Pick<ReplicatedLog, "isLeading" | "onLeading" | "rules" | "orderAlone">;
  readonly onFault: (fault: Error) => void;
}

/** Work that only one node may do. `begin` is waited for before `end`. */
export interface OwnWork {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/**
 * The leader's work for all nodes: epochs, the passing of time, index sources, chains, makers. Never twice, and one
 * after the other.
 */
export class LeaderDuties {
  readonly #options: LeaderDutiesOptions;
  #turn: Promise<void> = Promise.resolve();
  /** The work that has begun; undefined: none. */
  #begun: OwnWork | undefined;
  /** Undefined while it may not begin. */
  #work: OwnWork | undefined;
  /** The programs of the nodes, as this node has seen them since it leads. */
  #programs = new NodePrograms();
  #isLooking = false;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LeaderDutiesOptions) {
    this.#options = options;
    options.log.onLeading(() => {
      this.#programs = new NodePrograms();
      void this.#beginEpochWhenDue();
      this.#follow();
    });
    this.#timer = setInterval(() => void this.#beginEpochWhenDue(), LOOK_MS);
  }

  /** Settles when the log has rules to go by, whichever node began them. */
  async rules(): Promise<void> {
    const { state } = this.#options.node.engine;
    while (state.seq === 0) await pause(WAIT_MS);
  }

  /** From now on this node does what there is to do while it leads. */
  start(work: OwnWork): void {
    this.#work = work;
    this.#follow();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#work = undefined;
    this.#follow();
    await this.#turn;
  }

  #follow(): void {
    const { log, onFault } = this.#options;
    this.#turn = this.#turn
      .then(async () => {
        const due = log.isLeading ? this.#work : undefined;
        const before = this.#begun;
        if (due === before) return;
        this.#begun = due;
        await before?.end();
        await due?.begin();
      })
      .catch((error: Error) => onFault(error));
  }

  /** New rules hold when every node that is there has them: the others would have to stop. */
  async #beginEpochWhenDue(): Promise<void> {
    const { log, node } = this.#options;
    const { engine } = node;
    if (this.#isLooking || !log.isLeading || !isEpochDue(engine)) return;
    // A new log has no rules yet that could be kept.
    if (engine.state.seq > 0 && !(await this.#allHaveThem())) return;
    log.orderAlone(() => {
      // It may have been ordered at the look before, and have waited longer than until this one.
      if (!isEpochDue(engine)) return undefined;
      const records = new WordBuffer(1_024);
      encodeCommand(records, epochBehind(engine));
      return { payload: records.written(), count: 1 };
    });
  }

  async #allHaveThem(): Promise<boolean> {
    const programs = this.#programs;
    this.#isLooking = true;
    try {
      const looked = await this.#options.log.rules();
      if (looked === undefined) return false;
      programs.looked(looked);
    } finally {
      this.#isLooking = false;
    }
    // Who lost the lead meanwhile begins anew when it leads again.
    return programs === this.#programs && programs.allHave(RULES_VERSION);
  }
}

/** A row per node and per etcd server; of those that do not answer only the name is known. */
export function clusterOf(log: Pick<ReplicatedLog, "standings" | "storeStatus">): AdminCluster {
  return {
    servers: async () => (await log.storeStatus()).servers,
    nodes: async () =>
      (await log.standings()).map(({ node, standing }) => ({
        node,
        url: standing?.url,
        adminUrl: standing?.adminUrl,
        leads: standing?.isLeader ?? false,
        seq: standing?.seq,
        stateHash: standing?.stateHash,
        lagMs: standing?.lagMs,
      })),
  };
}
