/**
 * A node that joins takes nothing from another one that the store does not bear out, and is not stopped by one that
 * lies.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as pathJoin } from "node:path";
import { after, describe, test } from "node:test";
import { type Base, hexOf, type Tail } from "../../src/cluster/entry.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import { type JoiningParts, join } from "../../src/cluster/joining.ts";
import { endOf } from "../../src/cluster/missing-groups.ts";
import { genesisOf, OtherNodes } from "../../src/cluster/other-nodes.ts";
import { OwnLog } from "../../src/cluster/own-log.ts";
import { Peers, type Said } from "../../src/cluster/peers.ts";
import { groupsSaid, type Question } from "../../src/cluster/questions.ts";
import type { NodeRecord, PlacedGroup } from "../../src/cluster/store.ts";
import { type LogGroup, lastSeqOf } from "../../src/log/chain.ts";
import { openDataDir } from "../../src/log/data-dir.ts";
import { writeSnapshot } from "../../src/log/snapshot-file.ts";

const VENUE = "0123456789abcdef0123456789abcdef";
const FORM = { form: 9, rulesVersion: 5 };
const GROUPS = 40;
const COMMANDS_EACH = 3;
/** The store begins behind this group, and the snapshots hold the state there. */
const BASE_PLACE = 24;
const ANSWER_BYTES = 1024 * 1024;
const SECRET = randomBytes(32);

const folder = mkdtempSync(pathJoin(tmpdir(), "bourse-lying-"));
after(() => rmSync(folder, { recursive: true }));

/** The log of a venue, with where it ends after each group. */
function logOf(venueId: string): { readonly groups: readonly LogGroup[]; readonly ends: readonly Tail[] } {
  const ends: Tail[] = [genesisOf(venueId)];
  const groups = Array.from({ length: GROUPS }, (_, at): LogGroup => {
    const firstSeq = at * COMMANDS_EACH + 1;
    // Some answers take several groups, and the log several answers.
    const payload = Buffer.alloc(200_000, `${venueId} ${at}`);
    const group = { firstSeq, count: COMMANDS_EACH, timeMs: 1_000 + at, payload: Uint8Array.from(payload) };
    ends.push(endOf(ends.at(-1) as Tail, group));
    return group;
  });
  return { groups, ends };
}

const real = logOf(VENUE);
const foreign = logOf("fedcba9876543210fedcba9876543210");
const base = baseAt(BASE_PLACE);

function baseAt(place: number): Base {
  const { seq, hash, timeMs } = real.ends[place] as Tail;
  return { place, seq, hash: hexOf(hash), timeMs };
}

function placed(place: number): PlacedGroup | undefined {
  const group = real.groups[place - 1];
  if (group === undefined || place <= base.place) return undefined;
  const prevHash = hexOf((real.ends[place - 1] as Tail).hash);
  return { place, entry: { ...group, prevHash, origin: { node: "x", boot: "", token: 0 } } };
}

/** The store, which has what came behind the base. */
const store: JoiningParts["store"] = {
  prefix: "/bourse",
  venue: async () => ({ venueId: VENUE, base }),
  found: async () => assert.fail("There is a venue."),
  groupAt: (place) => Promise.resolve(placed(place)),
  groupsBehind: async (place) => GROUPS - place,
};

async function ownLog(name: string): Promise<{ readonly own: OwnLog; readonly path: string; close(): Promise<void> }> {
  const path = mkdtempSync(pathJoin(folder, name));
  const dataDir = openDataDir(path);
  const own = await OwnLog.open(dataDir, { onStored: () => {}, onFault: (fault) => assert.fail(fault) });
  return {
    own,
    path,
    close: async () => {
      await own.close();
      dataDir.release();
    },
  };
}

type Answer = (question: Question) => Said | undefined;

/** A node that has all of the log. */
const full = await ownLog("full-");
await full.own.begin(VENUE);
for (const group of real.groups) full.own.store(group);
await full.own.settled();
const state = Uint8Array.from(Buffer.alloc(2_500_000, "state"));
const head = writeSnapshot(full.path, { seq: base.seq, timeMs: base.timeMs, ...FORM, chunks: [state] });
after(() => full.close());

const offered = full.own.offeredSnapshot();
assert.ok(offered !== undefined);
const file = Uint8Array.from(readFileSync(head.file));

function honest(question: Question): Said | undefined {
  const kind = "answer";
  switch (question.kind) {
    case "groups": {
      const groups = full.own.groupsBehind(question, question.toSeq);
      return groups && groupsSaid(groups);
    }
    case "snapshot":
      return { head: { kind, offered } };
    case "piece":
      return pieceOf(file, question.at);
    default:
      return undefined;
  }
}

/** One whose log begins behind its snapshot. */
const late: Answer = (question) =>
  question.kind === "groups" && question.seq < base.seq ? undefined : honest(question);

function pieceOf(bytes: Uint8Array, at: number): Said {
  return { head: { kind: "answer" }, body: bytes.slice(at, at + ANSWER_BYTES) };
}

/** A lie in place of the groups. */
const groupsLie =
  (change: (groups: LogGroup[], question: Question & { kind: "groups" }, calls: number) => Said): (() => Answer) =>
  () => {
    let calls = 0;
    return (question) => {
      const answer = honest(question);
      if (question.kind !== "groups" || answer === undefined) return undefined;
      const groups = full.own.groupsBehind(question, question.toSeq);
      // What it told before leads nowhere: it has nothing to go on with.
      if (!Array.isArray(groups) || groups.length === 0) return groupsSaid([]);
      return change([...groups], question, calls++);
    };
  };

const raw = (groups: unknown, body: Uint8Array = new Uint8Array(0)): Said => ({
  head: { kind: "answer", groups },
  body,
});
const flipped = (group: LogGroup): LogGroup => {
  const payload = group.payload.slice();
  payload[100] = (payload[100] as number) ^ 1;
  return { ...group, payload };
};

const LOG_LIES: Readonly<Record<string, () => Answer>> = {
  "nothing at all": () => () => undefined,
  "a bit of the first group is another one": groupsLie(([first, ...rest]) =>
    groupsSaid([flipped(first as LogGroup), ...rest]),
  ),
  "a bit of the last group is another one": groupsLie((groups) =>
    groupsSaid([...groups.slice(0, -1), flipped(groups.at(-1) as LogGroup)]),
  ),
  "a group is left out": groupsLie((groups) => groupsSaid([...groups.slice(0, 1), ...groups.slice(2)])),
  "the time of a group is another one": groupsLie(([first, ...rest]) =>
    groupsSaid([{ ...(first as LogGroup), timeMs: 5 }, ...rest]),
  ),
  "the first walk is right, and the second one takes other groups": groupsLie((groups, _, calls) =>
    groupsSaid(calls < 5 ? groups : groups.map(flipped)),
  ),
  "the second walk ends early": groupsLie((groups, _, calls) => groupsSaid(calls < 5 ? groups : groups.slice(0, 1))),
  "the log of another venue": groupsLie((_, { seq, toSeq }) =>
    groupsSaid(foreign.groups.filter((group) => group.firstSeq > seq && lastSeqOf(group) <= toSeq).slice(0, 5)),
  ),
  "groups behind the base": groupsLie((_, { seq }) =>
    groupsSaid(real.groups.filter(({ firstSeq }) => firstSeq > seq).slice(0, 30)),
  ),
  "groups without commands, for ever": groupsLie(([first]) => groupsSaid([{ ...(first as LogGroup), count: 0 }])),
  "no groups": groupsLie(() => groupsSaid([])),
  "that the log of this node strayed": groupsLie(() => groupsSaid("strayed")),
  "figures that are none": groupsLie(() => raw([{ firstSeq: "1", count: Number.NaN, timeMs: -1, bytes: 1e300 }])),
  "groups that are none": groupsLie(() => raw({ length: 3 })),
  "a null for a group": groupsLie(() => raw([null])),
  "fewer bytes than it says": groupsLie(() => raw([{ firstSeq: 1, count: 3, timeMs: 1_000, bytes: 200_000 }])),
  "a frame of 20 MB": groupsLie(() => raw([], new Uint8Array(20 * 1024 * 1024))),
};

/** A lie in place of the snapshot: what is offered, and its bytes. */
const snapshotLie =
  (offer: object, piece: (at: number) => Said | undefined = (at) => pieceOf(file, at)): (() => Answer) =>
  () =>
  (question) => {
    if (question.kind === "snapshot") return { head: { kind: "answer", offered: { ...offered, ...offer } } };
    return question.kind === "piece" ? piece(question.at) : undefined;
  };

function written(seq: number, chunk: Uint8Array): Uint8Array {
  const { file: path } = writeSnapshot(mkdtempSync(pathJoin(folder, "other-")), {
    ...{ seq, timeMs: base.timeMs, ...FORM },
    chunks: [chunk],
  });
  return Uint8Array.from(readFileSync(path));
}

const spoilt = file.slice();
spoilt[2_000_000] = (spoilt[2_000_000] as number) ^ 1;
const early = written(base.seq - COMMANDS_EACH, state);
const rich = written(base.seq, Uint8Array.from(Buffer.alloc(state.length, "State")));
const earlier = real.ends[BASE_PLACE - 1] as Tail;

const SNAPSHOT_LIES: Readonly<Record<string, () => Answer>> = {
  "nothing at all": () => () => undefined,
  "an offer that is none": snapshotLie({ seq: "much", bytes: -1 }),
  "a null for an offer": () => (question) =>
    question.kind === "snapshot" ? { head: { kind: "answer", offered: null } } : undefined,
  "a bit of the file is another one": snapshotLie({}, (at) => pieceOf(spoilt, at)),
  "the file ends early": snapshotLie({}, (at) => pieceOf(file.slice(0, 1_500_000), at)),
  "the file ends early, as offered": snapshotLie({ bytes: 1_500_000 }, (at) => pieceOf(file.slice(0, 1_500_000), at)),
  "no piece comes": snapshotLie({}, () => undefined),
  "a byte at a time": snapshotLie({}, (at) => ({ head: { kind: "answer" }, body: file.slice(at, at + 1) })),
  "more than was asked for": snapshotLie({}, (at) => ({ head: { kind: "answer" }, body: file.slice(at) })),
  "a file without end": snapshotLie({ bytes: 2 ** 52 }, (at) => pieceOf(file, at % 1_000_000)),
  "an older state": snapshotLie({ bytes: early.length }, (at) => pieceOf(early, at)),
  "a state that is not that of the venue, with a checksum that is right": snapshotLie({ bytes: rich.length }, (at) =>
    pieceOf(rich, at),
  ),
  "a hash that is not in the store": snapshotLie({ hash: hexOf((foreign.ends[BASE_PLACE] as Tail).hash) }),
  "a place behind the end of the store": snapshotLie({ seq: 1_000_000 }),
  "a place within a group": snapshotLie({ seq: base.seq + 1 }),
  "a place before the store begins, to which no log leads on": snapshotLie(
    { seq: earlier.seq, hash: hexOf(earlier.hash), bytes: early.length },
    (at) => pieceOf(early, at),
  ),
  "a time that is far ahead": snapshotLie({ timeMs: 2 ** 50 }),
};

async function nodeThat(
  t: { after(run: () => Promise<void>): void },
  name: string,
  answer: Answer,
): Promise<NodeRecord> {
  const boot = `${name}-${randomBytes(4).toString("hex")}`;
  const peers = await Peers.listen("127.0.0.1", 0, {
    ...{ boot, sealer: new Sealer(SECRET), onSaid: () => {}, onReached: () => {}, onGone: () => {}, onNote: () => {} },
    onAsked: (question) => answer(question as Question),
  });
  t.after(() => peers.close());
  return {
    ...{ node: name, boot, address: `127.0.0.1:${peers.port}`, rules: 5, version: "x" },
    ...{ syncedSeq: base.seq, snapshotSeq: base.seq, snapshotState: head.stateHash },
  };
}

interface Joining {
  readonly t: { after(run: () => Promise<void>): void };
  readonly lie: Answer;
  readonly truth: Answer;
  readonly prefersSnapshot: boolean;
}

/**
 * Lets a node with an empty folder join beside a liar, who is asked first. The other node comes when the liar alone has
 * been of no use.
 */
async function joinBeside({ t, lie, truth, prefersSnapshot }: Joining): Promise<void> {
  const liar = await nodeThat(t, "a-liar", lie);
  const other = await nodeThat(t, "b-honest", truth);
  const records = [liar];
  const asking = await Peers.listen("127.0.0.1", 0, {
    ...{ boot: "self", sealer: new Sealer(SECRET), onSaid: () => {}, onAsked: () => undefined },
    ...{ onReached: () => {}, onGone: () => {}, onNote: () => {} },
  });
  t.after(() => asking.close());
  const joining = await ownLog("joining-");
  t.after(() => joining.close());
  const others = new OtherNodes({ peers: asking, node: "self", records: async () => records });
  const notes: string[] = [];
  const { tail, place } = await join({
    ...{ own: joining.own, store, others, prefersSnapshot, foundsVenue: false, onNote: (text) => notes.push(text) },
    onWait: (sentence) => {
      if (sentence !== undefined && records.length === 1) records.push(other);
    },
  });
  assert.equal(tail.seq, base.seq);
  assert.equal(hexOf(tail.hash), base.hash);
  assert.equal(tail.timeMs, base.timeMs);
  assert.equal(place, base.place);
  for (const group of joining.own.groups(1, base.seq)) {
    const { payload } = real.groups[(group.firstSeq - 1) / COMMANDS_EACH] as LogGroup;
    assert.ok(Buffer.from(payload).equals(group.payload), `seq ${group.firstSeq}`);
  }
}

// Most of the time they wait for answers.
const AT_ONCE = { concurrency: 6 };

describe("a node with an empty folder is told in place of groups that left the store:", AT_ONCE, () => {
  for (const [name, lie] of Object.entries(LOG_LIES)) {
    if (name.startsWith("that the log")) continue;
    test(name, (t) => joinBeside({ t, lie: lie(), truth: honest, prefersSnapshot: false }));
  }
});

describe("a node with an empty folder is offered as a snapshot:", AT_ONCE, () => {
  for (const [name, lie] of Object.entries(SNAPSHOT_LIES)) {
    test(name, async (t) => {
      // That one alone is told by what the store says of the time.
      if (name === "a time that is far ahead") {
        await joinBeside({ t, lie: lie(), truth: () => undefined, prefersSnapshot: true });
        return;
      }
      await joinBeside({ t, lie: lie(), truth: late, prefersSnapshot: true });
    });
  }
});

test("a node whose log nobody goes on with is told so, when all that say so are asked", async (t) => {
  await assert.rejects(
    joinBeside({
      t,
      lie: (LOG_LIES["that the log of this node strayed"] as () => Answer)(),
      truth: honest,
      prefersSnapshot: false,
    }),
    { code: "COPY_REFUSED" },
  );
});

test("nodes that tell the store of different states at one place are not believed, either of them", async (t) => {
  const records = [await nodeThat(t, "a", late), { ...(await nodeThat(t, "b", late)), snapshotState: "00".repeat(32) }];
  const asking = await Peers.listen("127.0.0.1", 0, {
    ...{ boot: "self", sealer: new Sealer(SECRET), onSaid: () => {}, onAsked: () => undefined },
    ...{ onReached: () => {}, onGone: () => {}, onNote: () => {} },
  });
  t.after(() => asking.close());
  const joining = await ownLog("apart-");
  t.after(() => joining.close());
  const others = new OtherNodes({ peers: asking, node: "self", records: async () => records });
  const notes: string[] = [];
  await join({
    ...{
      own: joining.own,
      store,
      others,
      prefersSnapshot: true,
      foundsVenue: false,
      onNote: (text) => notes.push(text),
    },
    // An operator looks, and ends the one that is wrong.
    onWait: (sentence) => {
      if (sentence !== undefined) records.length = 1;
    },
  });
  assert.match(notes.join("\n"), /passed over: nodes have told the store of different states there/);
});
