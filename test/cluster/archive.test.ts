/**
 * The archive that nodes share: each span of the log comes there once and whole, no matter who puts it there; a node
 * that lacks what has left the store takes it from there; and files that nobody of the venue wrote are passed over.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join as pathJoin } from "node:path";
import { after, describe, type TestContext, test } from "node:test";
import { Archiving } from "../../src/cluster/archiving.ts";
import { type Base, hexOf, type Tail } from "../../src/cluster/entry.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import { type JoiningParts, join } from "../../src/cluster/joining.ts";
import { LogArchive } from "../../src/cluster/log-archive.ts";
import { endOf } from "../../src/cluster/missing-groups.ts";
import { genesisOf, OtherNodes } from "../../src/cluster/other-nodes.ts";
import { OwnLog } from "../../src/cluster/own-log.ts";
import { groupsSaid } from "../../src/cluster/questions.ts";
import { Retention } from "../../src/cluster/retention.ts";
import type { NodeRecord, PlacedGroup } from "../../src/cluster/store.ts";
import type { LogGroup } from "../../src/log/chain.ts";
import { openDataDir } from "../../src/log/data-dir.ts";
import { openLogFile, setArchivedEnd } from "../../src/log/log-file.ts";

const VENUE = "0123456789abcdef0123456789abcdef";
const GROUPS = 60;
const COMMANDS_EACH = 3;
/** No multiple of what a group holds: groups lie across the ends of spans. */
const SPAN = 32;
const GROUP_BYTES = 1_000;
const SECRET = randomBytes(32);

const root = mkdtempSync(pathJoin(tmpdir(), "bourse-archive-"));
after(() => rmSync(root, { recursive: true }));

interface Course {
  readonly groups: readonly LogGroup[];
  /** Where the log ends after so many groups. */
  readonly ends: readonly Tail[];
}

/** The log of the venue; of another course from the group on that is named. */
function courseOf(otherFrom = GROUPS): Course {
  const ends: Tail[] = [genesisOf(VENUE)];
  const groups = Array.from({ length: GROUPS }, (_, at): LogGroup => {
    const payload = Uint8Array.from(Buffer.alloc(GROUP_BYTES, `${at < otherFrom ? "one" : "other"} ${at}`));
    const group = { firstSeq: at * COMMANDS_EACH + 1, count: COMMANDS_EACH, timeMs: 1_000 + at, payload };
    ends.push(endOf(ends.at(-1) as Tail, group));
    return group;
  });
  return { groups, ends };
}

const course = courseOf();
const lastSeq = GROUPS * COMMANDS_EACH;
/** How many groups begin in whole spans. */
const SEALED = course.groups.filter(({ firstSeq }) => firstSeq <= Math.floor(lastSeq / SPAN) * SPAN).length;

async function logOf(
  t: TestContext,
  groups: readonly LogGroup[] = [],
): Promise<{ readonly own: OwnLog; readonly path: string }> {
  const path = mkdtempSync(pathJoin(root, "node-"));
  const dataDir = openDataDir(path);
  const own = await OwnLog.open(dataDir, { onStored: () => {}, onFault: (fault) => assert.fail(fault) });
  t.after(async () => {
    await own.close();
    dataDir.release();
  });
  if (groups.length > 0) await own.begin(VENUE);
  for (const group of groups) own.store(group);
  await own.settled();
  return { own, path };
}

interface Archived {
  readonly archive: LogArchive;
  readonly archiving: Archiving;
  readonly notes: string[];
}

function archivingOf(own: OwnLog, folder: string, node = "a", partBytes?: number): Archived {
  const notes: string[] = [];
  const onNote = (text: string) => notes.push(text);
  const archive = new LogArchive({ folder, node, sealer: new Sealer(SECRET), onNote });
  const archiving = new Archiving({
    own,
    archive,
    onNote,
    span: SPAN,
    ...(partBytes === undefined ? {} : { partBytes }),
  });
  return { archive, archiving, notes };
}

const newFolder = () => mkdtempSync(pathJoin(root, "archive-"));
const filesIn = (folder: string) => readdirSync(folder).sort();

/** All that the archive gives from the beginning of the log on. */
async function readAll(archive: LogArchive): Promise<LogGroup[]> {
  const all: LogGroup[] = [];
  let end = genesisOf(VENUE);
  for (;;) {
    const groups = await archive.groupsBehind(end, Number.MAX_SAFE_INTEGER);
    if (groups === undefined || groups.length === 0) return all;
    all.push(...groups);
    end = groups.reduce(endOf, end);
  }
}

function assertSame(groups: readonly LogGroup[], expected: readonly LogGroup[]): void {
  assert.deepEqual(
    groups.map(({ payload, ...head }) => ({ ...head, payload: Buffer.from(payload).toString() })),
    expected.map(({ payload, ...head }) => ({ ...head, payload: Buffer.from(payload).toString() })),
  );
}

test("each span comes into the archive when the log has gone beyond it, and reads as it was", async (t) => {
  const folder = newFolder();
  const { own } = await logOf(t, course.groups.slice(0, 10));
  const { archive, archiving, notes } = archivingOf(own, folder);
  await archiving.round(true);
  assert.deepEqual(filesIn(folder), [], "thirty commands are no whole span");
  for (const group of course.groups.slice(10)) own.store(group);
  await own.settled();
  assert.ok(archiving.missing > 0);
  await archiving.round(true);
  assert.equal(filesIn(folder).length, Math.floor(lastSeq / SPAN));
  assert.equal(archiving.missing, 0);
  assert.equal(archiving.wholeSeq, SEALED * COMMANDS_EACH);
  assertSame(await readAll(archive), course.groups.slice(0, SEALED));
  assert.deepEqual(notes, []);
});

test("a span of many bytes takes several files, which are cut at the same places by each node", async (t) => {
  const [one, other] = [newFolder(), newFolder()];
  const { own } = await logOf(t, course.groups);
  const { archive, archiving } = archivingOf(own, one, "a", 3 * GROUP_BYTES);
  await archiving.round(true);
  assert.ok(filesIn(one).length > Math.floor(lastSeq / SPAN));
  assertSame(await readAll(archive), course.groups.slice(0, SEALED));
  const second = archivingOf((await logOf(t, course.groups)).own, other, "b", 3 * GROUP_BYTES);
  await second.archiving.round(true);
  assert.deepEqual(filesIn(other), filesIn(one));
  for (const name of filesIn(one))
    assert.ok(readFileSync(pathJoin(one, name)).equals(readFileSync(pathJoin(other, name))), name);
});

test("another node waits for the leader for a span, then does it in its place, and two at one time do no harm", async (t) => {
  const folder = newFolder();
  const nodes = await Promise.all(
    ["a", "b", "c"].map(async (name) => archivingOf((await logOf(t, course.groups)).own, folder, name)),
  );
  const [a, b, c] = nodes as [Archived, Archived, Archived];
  await b.archiving.round(false);
  assert.equal(filesIn(folder).length, Math.floor(lastSeq / SPAN) - 1);
  await Promise.all([a.archiving.round(true), b.archiving.round(true), c.archiving.round(false)]);
  assert.equal(filesIn(folder).length, Math.floor(lastSeq / SPAN));
  assertSame(await readAll(c.archive), course.groups.slice(0, SEALED));
  const before = filesIn(folder).map((name) => readFileSync(pathJoin(folder, name)));
  // One that is new to it goes by what is there.
  const { archiving } = archivingOf((await logOf(t, course.groups)).own, folder, "d");
  await archiving.round(true);
  assert.equal(archiving.wholeSeq, SEALED * COMMANDS_EACH);
  assert.ok(filesIn(folder).every((name, at) => readFileSync(pathJoin(folder, name)).equals(before[at] as Buffer)));
});

test("what a process had not finished is no file of the archive, and goes when its node starts again", async (t) => {
  const folder = newFolder();
  const { own } = await logOf(t, course.groups);
  const ofB = pathJoin(folder, ".log-x.b.unfinished");
  writeFileSync(pathJoin(folder, ".log-x.a.unfinished"), "half");
  writeFileSync(ofB, "half");
  const { archive, archiving } = archivingOf(own, folder);
  await archiving.round(true);
  assert.deepEqual(
    filesIn(folder).filter((name) => name.endsWith("unfinished")),
    [".log-x.b.unfinished"],
  );
  assertSame(await readAll(archive), course.groups.slice(0, SEALED));
});

test("a folder that is away is told of once, stops nothing, and takes everything when it is back", async (t) => {
  const folder = pathJoin(newFolder(), "share");
  const { own } = await logOf(t, course.groups);
  const { archive, archiving, notes } = archivingOf(own, folder);
  for (let rounds = 0; rounds < 3; rounds++) await archiving.round(true);
  assert.equal(archiving.isUp, false);
  assert.equal(notes.length, 1);
  assert.match(notes[0] as string, /takes nothing \(.*\)\. Make or mount the folder that log-archive names/);
  assert.equal(await archive.groupsBehind(genesisOf(VENUE), lastSeq), undefined);
  renameSync(newFolder(), folder);
  await archiving.round(true);
  assert.equal(archiving.isUp, true);
  assert.equal(archiving.missing, 0);
  assert.match(notes.at(-1) as string, /takes files again/);
});

test("a log that went another way leaves its files beside the others, and where both went on the later one is given", async (t) => {
  const folder = newFolder();
  const other = courseOf(30);
  await archivingOf((await logOf(t, other.groups)).own, folder, "a").archiving.round(true);
  for (const name of filesIn(folder)) utimesSync(pathJoin(folder, name), 1, 1);
  const { archive, archiving } = archivingOf((await logOf(t, course.groups)).own, folder, "b");
  await archiving.round(true);
  assert.equal(archiving.wholeSeq, SEALED * COMMANDS_EACH);
  assertSame(await readAll(archive), course.groups.slice(0, SEALED));
  for (const { groups, ends } of [course, other]) {
    for (let at = 0; at < SEALED; at++) {
      const behind = (await archive.groupsBehind(ends[at] as Tail, lastSeq)) ?? [];
      if (at > 30) assertSame(behind.slice(0, 1), [groups[at] as LogGroup]);
      else assert.ok(behind.length > 0);
    }
  }
});

test("a node whose log begins later goes on behind the gap, tells of it, and another one fills it", async (t) => {
  const folder = newFolder();
  const { own, path } = await logOf(t, course.groups);
  const cut = course.ends[20] as Tail;
  const file = openLogFile(path, "write");
  setArchivedEnd(file, { lastSeq: cut.seq, lastHash: cut.hash });
  file.database.close();
  const late = archivingOf(own, folder, "late");
  await late.archiving.round(true);
  assert.match(late.notes.join(), /begins behind seq 60: what lies between must come from a node that has it/);
  assert.equal(late.archiving.wholeSeq, 0);
  assert.equal(late.archiving.missing, 0);
  assert.ok(filesIn(folder).length > 0);
  const whole = archivingOf((await logOf(t, course.groups)).own, folder, "whole");
  await whole.archiving.round(true);
  assert.equal(whole.archiving.wholeSeq, SEALED * COMMANDS_EACH);
  assertSame(await readAll(whole.archive), course.groups.slice(0, SEALED));
});

// --- Joining
// ------------------------------------------------------------------------------------------------------------------

function storeBehind(place: number): { readonly base: Base; readonly store: JoiningParts["store"] } {
  const { seq, hash, timeMs } = course.ends[place] as Tail;
  const base: Base = { place, seq, hash: hexOf(hash), timeMs };
  const placed = (at: number): PlacedGroup | undefined => {
    const group = course.groups[at - 1];
    if (group === undefined || at <= place) return undefined;
    const prevHash = hexOf((course.ends[at - 1] as Tail).hash);
    return { place: at, entry: { ...group, prevHash, origin: { node: "x", boot: "", token: 0 } } };
  };
  return {
    base,
    store: {
      prefix: "/bourse",
      venue: async () => ({ venueId: VENUE, base }),
      found: async () => assert.fail("There is a venue."),
      groupAt: async (at) => placed(at),
      groupsBehind: async (at) => GROUPS - at,
    },
  };
}

interface Joining {
  readonly folder: string;
  /** The store begins behind so many groups. */
  readonly place: number;
  /** What another node answers of its log. */
  readonly peer?: (seq: number) => readonly LogGroup[] | undefined;
  /** When the node has found nobody who has what it lacks. */
  readonly onWait?: () => void;
}

/** Lets a node with an empty folder join. Gives its notes. */
async function joinWith(t: TestContext, { folder, place, peer, onWait }: Joining): Promise<string[]> {
  const { store, base } = storeBehind(place);
  const { own } = await logOf(t);
  const { archive, notes } = archivingOf(own, folder, "new");
  const record: NodeRecord = {
    ...{ node: "b", boot: "b1", address: "127.0.0.1:1", rules: 5, version: "x", syncedSeq: lastSeq, snapshotSeq: 0 },
  };
  const peers: ConstructorParameters<typeof OtherNodes>[0]["peers"] = {
    ask: (_, question) => {
      const { kind, seq } = question as { kind: string; seq: number };
      const groups = kind === "groups" ? peer?.(seq) : undefined;
      if (groups === undefined) return Promise.resolve(undefined);
      const { head, body = new Uint8Array(0) } = groupsSaid(groups);
      return Promise.resolve({ head, body: new Uint8Array(body) });
    },
  };
  const others = new OtherNodes({ peers, node: "new", archive, records: async () => [record] });
  const { tail } = await join({
    ...{ own, store, others, prefersSnapshot: false, foundsVenue: false, onNote: (text) => notes.push(text) },
    onWait: (sentence) => {
      if (sentence !== undefined) (onWait ?? (() => assert.fail(`${sentence} ${notes.join(" ")}`)))();
    },
  });
  assert.equal(tail.seq, base.seq);
  assertSame(
    [...own.groups(1, base.seq)].map(({ firstSeq, count, timeMs, payload }) => ({
      firstSeq,
      count,
      timeMs,
      payload: payload.slice(),
    })),
    course.groups.slice(0, place),
  );
  return notes;
}

async function filled(t: TestContext): Promise<string> {
  const folder = newFolder();
  const { archiving } = archivingOf((await logOf(t, course.groups)).own, folder);
  await archiving.round(true);
  return folder;
}

test("a node takes from the archive what has left the store, when no other node answers", async (t) => {
  await joinWith(t, { folder: await filled(t), place: 40 });
});

test("a node takes the rest from another one whose log begins where the archive ends", async (t) => {
  const peer = (seq: number) =>
    seq < SEALED * COMMANDS_EACH ? undefined : course.groups.filter(({ firstSeq }) => firstSeq > seq).slice(0, 1);
  await joinWith(t, { folder: await filled(t), place: SEALED + 2, peer });
});

/** What is done to the second file of an archive. */
const LIES: Readonly<Record<string, (path: string, bytes: Buffer) => void>> = {
  "a bit is another one": (path, bytes) => {
    bytes[2_000] = (bytes[2_000] as number) ^ 1;
    writeFileSync(path, bytes);
  },
  "the file ends early": (path, bytes) => truncateSync(path, bytes.length - 1),
  "the file is empty": (path) => truncateSync(path, 0),
  "the file goes on": (path) => appendFileSync(path, "more"),
  "the file has a hundred megabytes": (path) => truncateSync(path, 100 * 1024 * 1024),
  "the file is another one of the archive": (path) => {
    const folder = pathJoin(path, "..");
    writeFileSync(path, readFileSync(pathJoin(folder, filesIn(folder)[0] as string)));
  },
  "the file is of a later version": (path, bytes) => {
    bytes[0] = 2;
    writeFileSync(path, bytes);
  },
  "the file is sealed under another key": (path, bytes) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const { head, body } = new Sealer(SECRET).open(`archive/${name}`, bytes);
    writeFileSync(path, new Sealer(randomBytes(32)).seal(`archive/${name}`, head as object, body));
  },
  "a node of the venue lies": (path, bytes) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const { head, body } = new Sealer(SECRET).open(`archive/${name}`, bytes);
    body[100] = (body[100] as number) ^ 1;
    writeFileSync(path, new Sealer(SECRET).seal(`archive/${name}`, head as object, body));
  },
  "its head is none": (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    writeFileSync(path, new Sealer(SECRET).seal(`archive/${name}`, { groups: [null], before: 7 }));
  },
};

describe("a node passes over a file of the archive, says so, and takes nothing of it:", () => {
  for (const [name, spoil] of Object.entries(LIES)) {
    test(name, async (t) => {
      const folder = await filled(t);
      const path = pathJoin(folder, filesIn(folder)[1] as string);
      const sound = readFileSync(path);
      spoil(path, Buffer.from(sound));
      let waits = 0;
      const notes = await joinWith(t, {
        ...{ folder, place: 40 },
        // An operator removes it, and a node writes it anew.
        onWait: () => {
          waits++;
          rmSync(path);
          writeFileSync(path, sound);
        },
      });
      assert.equal(waits, 1);
      const told = notes.filter((text) => text.includes("is passed over"));
      assert.equal(told.length, 1, notes.join("\n"));
      assert.match(told[0] as string, /Remove it: a node whose log has what belongs there writes it anew\.$/);
    });
  }
});

test("a file that was removed is written anew by a node whose log has what belongs there", async (t) => {
  const folder = await filled(t);
  const names = filesIn(folder);
  rmSync(pathJoin(folder, names[1] as string));
  await archivingOf((await logOf(t, course.groups)).own, folder, "b").archiving.round(true);
  assert.deepEqual(filesIn(folder), names);
});

test("a log whose beginning is moved away while it is put there leaves no file with a gap", async (t) => {
  const folder = newFolder();
  const { own } = await logOf(t, course.groups);
  const { archive, notes } = archivingOf(own, folder);
  const moved: ConstructorParameters<typeof Archiving>[0]["own"] = {
    syncedSeq: own.syncedSeq,
    ends: (look) => own.ends(look),
    groups: (fromSeq, toSeq) => own.groups(fromSeq + 2 * COMMANDS_EACH, toSeq),
  };
  const archiving = new Archiving({ own: moved, archive, onNote: (text) => notes.push(text), span: SPAN });
  await archiving.round(true);
  assert.match(notes.join(), /the log of this node no longer has seq 1\)/);
  assert.deepEqual(filesIn(folder), []);
});

test("a file that is removed while nodes run is missed, counts as held no more, and comes again", async (t) => {
  const folder = await filled(t);
  const names = filesIn(folder);
  const { own } = await logOf(t, course.groups);
  const { archiving, notes } = archivingOf(own, folder, "b");
  await archiving.round(true);
  assert.equal(archiving.wholeSeq, SEALED * COMMANDS_EACH);
  rmSync(pathJoin(folder, names[1] as string));
  // The next span is due, and the folder is looked at.
  let end = course.ends.at(-1) as Tail;
  for (let more = 0; more < SPAN / COMMANDS_EACH; more++) {
    const group = { firstSeq: end.seq + 1, count: COMMANDS_EACH, timeMs: 2_000, payload: Uint8Array.of(more) };
    own.store({ ...group, payload: group.payload.slice() });
    end = endOf(end, group);
  }
  await own.settled();
  await archiving.round(true);
  assert.match(notes.join(), new RegExp(`no longer has the file ${names[1]}\\.`));
  assert.deepEqual(filesIn(folder).slice(0, names.length), names);
  assert.equal(archiving.missing, 0);
  assert.ok(archiving.wholeSeq > SEALED * COMMANDS_EACH);
});

test("what one node holds in a snapshot leaves the store when the archive has it too, and an archive that is stuck holds up nothing", () => {
  const nodes = (...held: number[]): NodeRecord[] =>
    held.map((seq, at) => ({
      ...{ node: `n${at}`, boot: "", address: "", rules: 5, version: "" },
      syncedSeq: seq,
      snapshotSeq: seq,
    }));
  const retention = new Retention();
  for (let place = 64; place <= 640; place += 64)
    retention.passed(place, { seq: place * 10, hash: new Uint8Array(0), timeMs: 1 });
  const due = (archived: number | undefined, ...held: number[]) => retention.due(nodes(...held), archived)?.seq;
  assert.equal(due(undefined, 6_400, 0, 0), undefined);
  assert.equal(due(3_000, 6_400, 0, 0), 2_560);
  assert.equal(due(6_400, 3_000, 0, 0), 2_560);
  assert.equal(due(1_000, 6_400, 5_000, 0), 4_480);
  assert.equal(due(1_000, 6_400), 6_400);
});
