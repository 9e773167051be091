/** The store in etcd: the only file that knows what lies under which key. */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type ServiceError, status } from "@grpc/grpc-js";
import type { Base, GroupEntry, Leader } from "../entry.ts";
import type { Sealer } from "../frame.ts";
import {
  type NodeRecord,
  type OrderStore,
  type Page,
  type PlacedGroup,
  type PutOutcome,
  type StoreEnd,
  type StoreEvent,
  type StoreServer,
  type StoreStatus,
  StoreWentBack,
  type WatchHandlers,
} from "../store.ts";
import { type EtcdAccess, EtcdAway, EtcdClient, EtcdFull, EtcdUnfit } from "./client.ts";

/** Groups that are read at a time. */
const READ_AT_ONCE = 64;
/** A server must take requests of this size: a group of commands with its head, or several. */
const REQUEST_BYTES_MIN = 4 * 1024 * 1024;
/** Bytes that etcd takes beyond its setting max-request-bytes. */
const REQUEST_OVERHEAD_BYTES = 512 * 1024;
/** Older versions lack what is used here. */
const VERSION_MIN = [3, 4] as const;
/** How long the election key outlives its node, s. Others take over before where they see that the node is gone. */
const LEASE_S = 3;
const KEEP_ALIVE_MS = 800;
const AGAIN_MS = 100;
/** A number with which no two nodes come by chance. */
const LEASE_ID_MAX = 2 ** 47;
const PLACE_DIGITS = 16;

interface Header {
  readonly cluster_id: string;
  readonly revision: string;
}
interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly create_revision: string;
  readonly mod_revision: string;
}
interface Range {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: string;
}
interface Txn {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly { readonly response_range?: Range }[];
}
interface WatchAnswer {
  readonly canceled: boolean;
  readonly events: readonly { readonly type: number; readonly kv: KeyValue }[];
}
interface ServerStatus {
  readonly header: { readonly member_id: string };
  readonly version: string;
  readonly leader: string;
  readonly dbSize: string;
  readonly dbSizeInUse: string;
}
interface Alarm {
  readonly memberID: string;
  readonly alarm: number;
}

const DELETED = 1;
const EQUAL = 0;
const CREATE = 1;
const MOD = 2;
const VALUE = 3;

export interface EtcdStoreOptions extends EtcdAccess {
  readonly sealer: Sealer;
  /** This process, as other nodes know it when it leads. */
  readonly node: string;
  readonly boot: string;
  readonly address: string;
  readonly onNote: (text: string) => void;
  /** Called with a fault that waiting cannot mend: the store, for example, holds what no node of this venue writes. */
  readonly onFault: (error: Error) => void;
}

export class EtcdStore implements OrderStore {
  /** The beginning of all keys of the venue. */
  readonly prefix: string;
  readonly #client: EtcdClient;
  readonly #options: EtcdStoreOptions;
  readonly #watches = new Set<() => void>();
  #lease: string | undefined;
  #isClosed = false;
  #isUp = true;
  #trouble: string | undefined;
  /** Of the etcd that answered first; no answer of another one is believed. */
  #clusterId: string | undefined;
  /** The newest that was answered. */
  #revision = 0;
  /** Revision at which the venue's log was put into the store: a log that begins anew has another one. */
  #foundedAt: string | undefined;

  constructor(options: EtcdStoreOptions) {
    this.#options = options;
    this.#client = new EtcdClient(options);
    const { pathname } = new URL(options.servers[0] as string);
    this.prefix = pathname === "/" || pathname === "" ? "/bourse" : pathname.replace(/\/+$/, "");
    this.#client.onMoved = () => {
      // What a server says that is left is late.
      for (const end of [...this.#watches]) end();
    };
  }

  /**
   * Settles when a server answers, is fit, and has given this node a lease. Throws EtcdUnfit. `onWait` hears what it
   * waits for.
   */
  async open(): Promise<void> {
    await this.patiently(() => this.#checkServer());
    await this.patiently(() => this.#grant());
    void this.#keepAlive();
  }

  get hosts(): readonly string[] {
    return this.#client.hosts;
  }

  /** The server that is asked at present, as host and port. */
  get server(): string {
    return this.#client.server;
  }

  /** Why the last call that was waited for had no answer, as a sentence; undefined: there was none. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Whether the last call had an answer. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Asks until a server answers and has room. */
  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    while (true) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof EtcdAway || error instanceof EtcdFull) || this.#isClosed) throw error;
        this.#trouble = error.message;
        await pause(AGAIN_MS);
      }
    }
  }

  async #checkServer(): Promise<void> {
    const padding = Buffer.alloc(REQUEST_BYTES_MIN + REQUEST_OVERHEAD_BYTES - 1024);
    try {
      const { version } = await this.#client.call<ServerStatus>("Maintenance", "Status", { padding });
      const [major = 0, minor = 0] = version.split(".").map(Number);
      const [needed, least] = VERSION_MIN;
      if (major < needed || (major === needed && minor < least))
        throw new EtcdUnfit(`${this.#client.server} has version ${version}, and ${VERSION_MIN.join(".")} is needed`);
    } catch (error) {
      if ((error as ServiceError).code !== status.RESOURCE_EXHAUSTED) throw error;
      throw new EtcdUnfit(`${this.#client.server} takes too little at a time; set max-request-bytes to 8388608 there`, {
        cause: error,
      });
    }
    // A user who may not write would be found when it is too late.
    await this.#transact([], [], []);
    await this.#range("venue");
  }

  // --- Keys
  // -------------------------------------------------------------------------------------------------------------------

  #key(name: string): Buffer {
    return Buffer.from(`${this.prefix}/${name}`);
  }

  #placeKey(place: number): Buffer {
    return this.#key(`log/${String(place).padStart(PLACE_DIGITS, "0")}`);
  }

  /** Behind the last place: what else lies under log begins with a letter. */
  #endKey(): Buffer {
    return this.#key("log/a");
  }

  #openGroup({ key, value }: KeyValue): PlacedGroup {
    const place = Number(key.toString().slice(-PLACE_DIGITS));
    const { head, body } = this.#options.sealer.open(`log/${place}`, value);
    return { place, entry: { ...(head as Omit<GroupEntry, "payload">), payload: body } };
  }

  #sealGroup({ place, entry }: PlacedGroup): Uint8Array {
    const { payload, ...head } = entry;
    return this.#options.sealer.seal(`log/${place}`, head, payload);
  }

  #openLeader(found: KeyValue | undefined): Leader | undefined {
    if (found === undefined) return undefined;
    const { head } = this.#options.sealer.open("leader", found.value);
    return { ...(head as Omit<Leader, "term">), term: Number(found.mod_revision) };
  }

  /** Returns the sealed value that this process puts there when it leads. */
  #ownLeader(): Uint8Array {
    const { node, boot, address, sealer } = this.#options;
    return sealer.seal("leader", { node, boot, address });
  }

  #isLedBy(term: number) {
    return { result: EQUAL, target: MOD, key: this.#key("log/leader"), mod_revision: String(term) };
  }

  /**
   * A store that was emptied counts its revisions from 1 again, and may come to the same one: who leads there is
   * another process.
   */
  #leadsBy(term: number): object[] {
    return [
      this.#isLedBy(term),
      { result: EQUAL, target: VALUE, key: this.#key("log/leader"), value: this.#ownLeader() },
    ];
  }

  /** The log in the store is still the one that this node read. */
  #isSameLog(): object[] {
    if (this.#foundedAt === undefined) return [];
    return [{ result: EQUAL, target: CREATE, key: this.#key("log/base"), create_revision: this.#foundedAt }];
  }

  // --- Calls
  // ------------------------------------------------------------------------------------------------------------------

  async #call<Answer>(service: Parameters<EtcdClient["call"]>[0], method: string, request: object): Promise<Answer> {
    try {
      const answer = await this.#client.call<Answer>(service, method, request);
      this.#hear(true);
      return answer;
    } catch (error) {
      if (error instanceof EtcdAway) this.#hear(false);
      throw error;
    }
  }

  #hear(isUp: boolean): void {
    if (this.#isUp === isUp || this.#isClosed) return;
    this.#isUp = isUp;
    this.#options.onNote(
      isUp ? "The etcd servers answer again." : "An etcd server does not answer; another one is asked.",
    );
  }

  /**
   * A call of keys and values, whose answers are linearizable: none may be of an earlier revision than one that was
   * there before the call. Throws StoreWentBack, or EtcdUnfit where the servers are not of one etcd.
   */
  async #keys<Answer extends { readonly header: Header }>(method: string, request: object): Promise<Answer> {
    const known = this.#revision;
    const answer = await this.#call<Answer>("KV", method, request);
    const { cluster_id: clusterId, revision } = answer.header;
    this.#clusterId ??= clusterId;
    if (clusterId !== this.#clusterId)
      throw new EtcdUnfit(
        `those that the setting log names do not belong together; ${this.#client.server} is of another etcd`,
      );
    if (Number(revision) < known) throw new StoreWentBack();
    this.#revision = Math.max(this.#revision, Number(revision));
    return answer;
  }

  #transact(compare: readonly object[], success: readonly object[], failure: readonly object[]): Promise<Txn> {
    return this.#keys<Txn>("Txn", { compare, success, failure });
  }

  #range(name: string): Promise<Range> {
    return this.#keys<Range>("Range", { key: this.#key(name) });
  }

  /** Reports an error that waiting cannot mend; it ends the node. */
  #tell(error: unknown): void {
    if (error instanceof EtcdAway || error instanceof EtcdFull || this.#isClosed) return;
    this.#options.onFault(error as Error);
  }

  // --- The order of groups
  // ----------------------------------------------------------------------------------------------------

  put(term: number, groups: readonly PlacedGroup[], done: (outcome: PutOutcome) => void): void {
    this.#put(term, groups).then(done, (error: unknown) => {
      this.#tell(error);
      done(error instanceof EtcdFull ? "full" : "unknown");
    });
  }

  async #put(term: number, groups: readonly PlacedGroup[]): Promise<PutOutcome> {
    const sealed = groups.map((group) => ({ key: this.#placeKey(group.place), value: this.#sealGroup(group) }));
    const [first] = sealed as [(typeof sealed)[0]];
    const { succeeded, responses } = await this.#transact(
      [...this.#leadsBy(term), ...this.#isSameLog(), { result: EQUAL, target: MOD, key: first.key, mod_revision: "0" }],
      sealed.map((put) => ({ request_put: put })),
      ["log/leader", "log/base"]
        .map((name) => ({ request_range: { key: this.#key(name) } }))
        .concat({
          request_range: { key: first.key },
        }),
    );
    if (succeeded) return "in";
    const [leader, base, there] = responses.map(({ response_range: range }) => range?.kvs[0]);
    this.#openBase(base);
    if (there?.value.equals(first.value) === true) return "in";
    const isLed =
      leader !== undefined && Number(leader.mod_revision) === term && leader.value.equals(this.#ownLeader());
    return isLed ? "taken" : "deposed";
  }

  lead(over: number, done: () => void): void {
    const put = { key: this.#key("log/leader"), value: this.#ownLeader(), lease: this.#lease };
    this.#transact([this.#isLedBy(over), ...this.#isSameLog()], [{ request_put: put }], []).then(
      () => done(),
      (error: unknown) => {
        // The lease may have run out meanwhile: the next one comes with the next beat.
        if ((error as ServiceError).code !== status.NOT_FOUND) this.#tell(error);
        done();
      },
    );
  }

  resign(term: number): void {
    const remove = { request_delete_range: { key: this.#key("log/leader") } };
    this.#transact(this.#leadsBy(term), [remove], []).catch((error: unknown) => this.#tell(error));
  }

  read(from: number, done: (page: Page | undefined) => void): void {
    this.#read(from).then(done, (error: unknown) => {
      this.#tell(error);
      done(undefined);
    });
  }

  async #read(from: number): Promise<Page> {
    const { header, responses } = await this.#transact(
      [],
      [
        { request_range: { key: this.#placeKey(from), range_end: this.#endKey(), limit: READ_AT_ONCE } },
        { request_range: { key: this.#key("log/base") } },
        { request_range: { key: this.#key("log/leader") } },
      ],
      [],
    );
    const [groups, base, leader] = responses.map(({ response_range: range }) => range) as [Range, Range, Range];
    return {
      revision: Number(header.revision),
      base: this.#openBase(base.kvs[0]),
      groups: groups.kvs.map((found) => this.#openGroup(found)),
      isWhole: !groups.more,
      leader: this.#openLeader(leader.kvs[0]),
    };
  }

  /** Throws StoreWentBack where the log that was there is gone, or another one stands in its place. */
  #openBase(found: KeyValue | undefined): Base | undefined {
    if (found !== undefined) this.#foundedAt ??= found.create_revision;
    if (found?.create_revision !== this.#foundedAt) throw new StoreWentBack();
    return found && (this.#options.sealer.open("base", found.value).head as Base);
  }

  endFrom(from: number, done: (end: StoreEnd | undefined) => void): void {
    this.#endFrom(from).then(done, (error: unknown) => {
      this.#tell(error);
      done(undefined);
    });
  }

  /** Counts instead of reading: places have no gap. All at one revision, since what was taken out is not counted. */
  async #endFrom(from: number): Promise<StoreEnd> {
    const count = { key: this.#placeKey(from), range_end: this.#endKey(), count_only: true };
    const { responses } = await this.#transact(
      [],
      [
        { request_range: count },
        { request_range: { key: this.#key("log/base") } },
        { request_range: { key: this.#key("log/leader"), keys_only: true } },
      ],
      [],
    );
    const [groups, base, leader] = responses.map(({ response_range: range }) => range) as [Range, Range, Range];
    return {
      place: Math.max(from - 1, this.#openBase(base.kvs[0])?.place ?? 0) + Number(groups.count),
      term: Number(leader.kvs[0]?.mod_revision ?? 0),
    };
  }

  watch(revision: number, { onEvents, onEnd }: WatchHandlers): () => void {
    let cancel = () => {};
    let isOver = false;
    const leave = () => {
      isOver = true;
      this.#watches.delete(end);
      cancel();
    };
    const end = () => {
      if (isOver) return;
      leave();
      onEnd();
    };
    this.#watches.add(end);
    void this.#startWatch(
      revision,
      () => isOver,
      (events) => onEvents(events),
      end,
    ).then((stop) => {
      cancel = stop;
      if (isOver) stop();
    }, end);
    return leave;
  }

  async #startWatch(
    revision: number,
    isOver: () => boolean,
    onEvents: (events: readonly StoreEvent[]) => void,
    onEnd: () => void,
  ): Promise<() => void> {
    const { server } = this.#client;
    const stream = await this.#client.open("Watch", "Watch");
    stream.on("data", ({ canceled, events }: WatchAnswer) => {
      if (isOver()) return;
      if (canceled) {
        onEnd();
        return;
      }
      let told: readonly StoreEvent[];
      try {
        told = events.flatMap((event) => this.#eventOf(event));
      } catch (error) {
        this.#tell(error);
        return;
      }
      if (told.length > 0) onEvents(told);
    });
    stream.on("error", (error: ServiceError) => {
      if (!isOver()) this.#client.fail(error, server);
      onEnd();
    });
    stream.on("end", onEnd);
    const range = { key: this.#key("log/"), range_end: this.#key("log0") };
    stream.write({ create_request: { ...range, start_revision: String(revision) } });
    return () => stream.cancel();
  }

  #eventOf({ type, kv }: { readonly type: number; readonly kv: KeyValue }): StoreEvent[] {
    const name = kv.key.subarray(this.prefix.length + "/log/".length).toString();
    const revision = Number(kv.mod_revision);
    if (name === "leader") {
      const leader = type === DELETED ? undefined : this.#openLeader(kv);
      return [{ kind: "leader", revision, leader }];
    }
    // Groups that are taken out, and the base that they leave.
    if (type === DELETED || name === "base") return [];
    return [{ kind: "group", revision, group: this.#openGroup(kv) }];
  }

  // --- The lease
  // --------------------------------------------------------------------------------------------------------------

  async #grant(): Promise<void> {
    const ID = String(randomInt(1, LEASE_ID_MAX));
    await this.#call("Lease", "LeaseGrant", { TTL: String(LEASE_S), ID });
    this.#lease = ID;
  }

  async #keepAlive(): Promise<void> {
    while (!this.#isClosed) {
      await pause(KEEP_ALIVE_MS, undefined, { ref: false });
      if (this.#isClosed) return;
      try {
        if (!(await this.#renew())) await this.#grant();
      } catch (error) {
        this.#tell(error);
      }
    }
  }

  /** Whether the lease is still there. */
  async #renew(): Promise<boolean> {
    const { server } = this.#client;
    const stream = await this.#client.open("Lease", "LeaseKeepAlive");
    try {
      return await new Promise<boolean>((resolve, reject) => {
        const late = setTimeout(() => {
          const error = Object.assign(new Error("no answer"), { code: status.DEADLINE_EXCEEDED, details: "no answer" });
          this.#client.fail(error as unknown as ServiceError, server);
          reject(new EtcdAway(error));
        }, this.#client.waitsMs);
        stream.on("data", ({ TTL }: { TTL: string }) => {
          clearTimeout(late);
          resolve(Number(TTL) > 0);
        });
        stream.on("error", (error: ServiceError) => {
          clearTimeout(late);
          if (!this.#isClosed && error.code !== status.CANCELLED) this.#client.fail(error, server);
          reject(new EtcdAway(error));
        });
        stream.write({ ID: this.#lease });
      });
    } finally {
      stream.cancel();
    }
  }

  // --- The venue and its nodes
  // ------------------------------------------------------------------------------------------------

  /** Which venue's log the store holds, and where that begins there; undefined: none. */
  async venue(): Promise<{ readonly venueId: string; readonly base: Base } | undefined> {
    const { responses } = await this.patiently(() =>
      this.#transact(
        [],
        [{ request_range: { key: this.#key("venue") } }, { request_range: { key: this.#key("log/base") } }],
        [],
      ),
    );
    const [venue, base] = responses.map(({ response_range: range }) => range?.kvs[0]);
    if (venue === undefined || base === undefined) return undefined;
    const { venueId } = this.#options.sealer.open("venue", venue.value).head as { venueId: string };
    return { venueId, base: this.#openBase(base) as Base };
  }

  /** Begins the log of a venue in the store behind `base`, unless it holds one already, or what is left of one. */
  async found(venueId: string, base: Base): Promise<void> {
    const { sealer } = this.#options;
    await this.patiently(() =>
      this.#transact(
        [
          { result: EQUAL, target: MOD, key: this.#key("venue"), mod_revision: "0" },
          { result: EQUAL, target: MOD, key: this.#key("log/"), range_end: this.#key("log0"), mod_revision: "0" },
        ],
        [
          { request_put: { key: this.#key("venue"), value: sealer.seal("venue", { venueId }) } },
          { request_put: { key: this.#key("log/base"), value: sealer.seal("base", base) } },
        ],
        [],
      ),
    );
  }

  /** The group at a place; undefined: there is none. */
  async groupAt(place: number): Promise<PlacedGroup | undefined> {
    const { kvs } = await this.patiently(() => this.#keys<Range>("Range", { key: this.#placeKey(place) }));
    return kvs[0] && this.#openGroup(kvs[0]);
  }

  /** How many groups stand behind the base. */
  async groupsBehind(place: number): Promise<number> {
    const request = { key: this.#placeKey(place + 1), range_end: this.#endKey(), count_only: true };
    const { count } = await this.patiently(() => this.#keys<Range>("Range", request));
    return Number(count);
  }

  /**
   * Takes the groups up to `to` out of the store, which then begins behind it. Whether that is done: only the leader of
   * `term` may.
   */
  async takeOut(term: number, to: Base): Promise<boolean> {
    const { sealer } = this.#options;
    const [base] = (await this.#range("log/base")).kvs;
    if (base === undefined) return false;
    // The store must never begin before what was taken out of it.
    if ((this.#openBase(base) as Base).place >= to.place) return true;
    const { header, succeeded } = await this.#transact(
      [
        ...this.#leadsBy(term),
        { result: EQUAL, target: MOD, key: this.#key("log/base"), mod_revision: base.mod_revision },
      ],
      [
        { request_put: { key: this.#key("log/base"), value: sealer.seal("base", to) } },
        { request_delete_range: { key: this.#placeKey(0), range_end: this.#placeKey(to.place + 1) } },
      ],
      [],
    );
    // What was there before gives its room back only when it is forgotten.
    if (succeeded) await this.#forget(header.revision);
    return succeeded;
  }

  /** Forgets what stood there before a revision; somebody may have forgotten more by then. */
  async #forget(revision: string): Promise<void> {
    try {
      await this.#call("KV", "Compact", { revision, physical: false });
    } catch (error) {
      if ((error as ServiceError).code !== status.OUT_OF_RANGE) throw error;
    }
  }

  /** Returns the records that the nodes gave of themselves, by name. */
  async nodes(): Promise<readonly NodeRecord[]> {
    const request = { key: this.#key("nodes/"), range_end: this.#key("nodes0") };
    const { kvs } = await this.#keys<Range>("Range", request);
    return kvs.map((found) => this.#openRecord(found));
  }

  /** The revision at which a node last told of itself; undefined: there is nothing of it. */
  async toldAt(node: string): Promise<string | undefined> {
    const { kvs } = await this.patiently(() => this.#range(`nodes/${node}`));
    return kvs[0]?.mod_revision;
  }

  /** Removes what a node told of itself. Whether it had told nothing since `revision`. */
  async forget(node: string, revision: string): Promise<boolean> {
    const key = this.#key(`nodes/${node}`);
    const { succeeded } = await this.patiently(() =>
      this.#transact(
        [{ result: EQUAL, target: MOD, key, mod_revision: revision }],
        [{ request_delete_range: { key } }],
        [],
      ),
    );
    return succeeded;
  }

  #openRecord({ key, value }: KeyValue): NodeRecord {
    const name = key.toString().slice(this.#key("nodes/").length);
    return this.#options.sealer.open(`nodes/${name}`, value).head as NodeRecord;
  }

  /**
   * Tells the others of this node, unless another process has told of it since `revision`; undefined: always.
   * Gives the record's revision; undefined: another one has.
   */
  async tell(record: NodeRecord, revision: number | undefined): Promise<number | undefined> {
    const key = this.#key(`nodes/${record.node}`);
    const value = this.#options.sealer.seal(`nodes/${record.node}`, record);
    const isSame = revision === undefined ? [] : [{ result: EQUAL, target: MOD, key, mod_revision: String(revision) }];
    const { succeeded, header, responses } = await this.#transact(
      isSame,
      [{ request_put: { key, value } }],
      [{ request_range: { key } }],
    );
    if (succeeded) return Number(header.revision);
    // An earlier call of this process may have come through whose answer was lost: with what held then, and not what
    // holds now.
    const there = responses[0]?.response_range?.kvs[0];
    if (there === undefined || this.#openRecord(there).boot !== record.boot) return undefined;
    return await this.tell(record, Number(there.mod_revision));
  }

  /** Each server is asked how it stands. */
  async status(): Promise<StoreStatus> {
    const [alarms, answers] = await Promise.all([
      this.#alarms(),
      Promise.all(
        this.#client.hosts.map(async (host, at) => {
          const answer = await this.#client
            .call<ServerStatus>("Maintenance", "Status", {}, at)
            .catch((): undefined => undefined);
          return { host, answer };
        }),
      ),
    ]);
    return {
      servers: answers.map(({ host, answer }) => serverOf(host, answer, alarms)),
      alarms: [...new Set(alarms.map(alarmName))],
    };
  }

  async #alarms(): Promise<readonly Alarm[]> {
    try {
      const { alarms } = await this.#client.call<{ alarms: Alarm[] }>("Maintenance", "Alarm", { action: 0 });
      return alarms;
    } catch {
      return [];
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of [...this.#watches]) end();
    if (this.#lease !== undefined && this.#isUp) {
      await this.#client.call("Lease", "LeaseRevoke", { ID: this.#lease }).catch(() => undefined);
    }
    this.#client.close();
  }
}

function serverOf(host: string, answer: ServerStatus | undefined, alarms: readonly Alarm[]): StoreServer {
  const id = answer?.header.member_id;
  return {
    host,
    isAnswering: answer !== undefined,
    isLeader: answer !== undefined && answer.leader === id,
    hasLeader: answer !== undefined && answer.leader !== "0",
    fileBytes: Number(answer?.dbSize ?? 0),
    usedBytes: Number(answer?.dbSizeInUse ?? 0),
    alarms: alarms.filter(({ memberID }) => memberID === id).map(alarmName),
    version: answer?.version ?? "",
  };
}

function alarmName({ alarm }: Alarm): string {
  return alarm === 1 ? "NOSPACE" : "CORRUPT";
}
