import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  decimalOf,
  type LiabilityProof,
  ProofUnsound,
  type SumNode,
  verifyProof,
} from "../../client/liability-proof.ts";
import { runs } from "../../test/support/runs.ts";
import { gather, OwedRows } from "./gather.ts";
import { headOf, join, leafHash } from "./hashes.ts";
import { leavesFor, makeSumTree } from "./sum-tree.ts";

const PRECISION = 8;
const COUNT = { seq: 7, counted_at: 1_750_000_000_000 };

/** Units that the venue owes, by account. */
type Accounts = ReadonlyMap<number, bigint>;

const someAccounts = fc
  .uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 60 })
  .chain((ids) =>
    fc.tuple(
      fc.constant(ids),
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: ids.length, maxLength: ids.length }),
    ),
  )
  .map(([ids, units]): Accounts => new Map(ids.map((id, at) => [id, units[at] as bigint])));

function treeOf(accounts: Accounts, key = 1) {
  const rows = new OwedRows();
  for (const [id, units] of accounts) rows.add(id, 0, units);
  return makeSumTree(gather(rows).get(0) as never, new Uint8Array(32).fill(key));
}

function proofsOf(accounts: Accounts): Map<number, LiabilityProof> {
  const tree = treeOf(accounts);
  const { places, hash, total } = tree;
  const currencies = [
    {
      ...{ ccy: "USDT", precision: PRECISION, root: Buffer.from(hash).toString("hex") },
      ...{ total: decimalOf(total, PRECISION), leaf_count: places.length },
    },
  ];
  const head = headOf({ ...COUNT, currencies });
  return new Map(
    [...accounts.keys()].map((id) => {
      const leaves = leavesFor(tree, id, PRECISION).map((leaf) => ({ ccy: "USDT", ...leaf }));
      return [id, { ...COUNT, head, currencies, account_id: String(id), leaves }];
    }),
  );
}

/** The check of a user: he verifies the proof, and that it is of his account and has what he had. */
async function isContent(accountId: number, had: bigint, proof: LiabilityProof): Promise<boolean> {
  try {
    const verified = await verifyProof(JSON.parse(JSON.stringify(proof)));
    const found = verified.owed.find(({ ccy }) => ccy === "USDT")?.amount ?? decimalOf(0n, PRECISION);
    return verified.accountId === String(accountId) && found === decimalOf(had, PRECISION);
  } catch (error) {
    assert.ok(error instanceof ProofUnsound, String(error));
    return false;
  }
}

/** A tree that need not be honest: leaves of anybody, and sums that a lie may change on the way up. */
class PlainTree {
  readonly #leaves: readonly { readonly accountId: number; readonly units: bigint; readonly salt: Buffer }[];
  readonly #levels: SumNode[][];

  constructor(
    accounts: readonly (readonly [number, bigint])[],
    lie: (height: number, place: number, node: SumNode) => SumNode,
  ) {
    this.#leaves = accounts.map(([accountId, units], at) => {
      const salt = createHash("sha256").update(`salt ${at}`).digest().subarray(0, 16);
      return { accountId, units, salt };
    });
    let level = this.#leaves.map(({ accountId, units, salt }, place) => {
      return lie(0, place, { hash: leafHash(accountId, BigInt.asUintN(64, units), salt), units });
    });
    this.#levels = [level];
    while (level.length > 1) {
      const above: SumNode[] = [];
      for (let at = 0; at < level.length; at += 2) {
        const [left, right] = [level[at] as SumNode, level[at + 1]];
        above.push(right === undefined ? left : lie(this.#levels.length, at / 2, joined(left, right)));
      }
      level = above;
      this.#levels.push(level);
    }
  }

  get root(): SumNode {
    return this.#levels.at(-1)?.[0] as SumNode;
  }

  get total(): bigint {
    return this.root.units;
  }

  /** Shows the leaves at these places to an account. */
  proof(accountId: number, places: readonly number[], total = this.total): LiabilityProof {
    const currencies = [
      {
        ...{ ccy: "USDT", precision: PRECISION, root: Buffer.from(this.root.hash).toString("hex") },
        ...{ total: decimalOf(total, PRECISION), leaf_count: this.#leaves.length },
      },
    ];
    const leaves = places.map((index) => {
      const { units, salt } = this.#leaves[index] as { units: bigint; salt: Buffer };
      return {
        ccy: "USDT",
        index,
        amount: decimalOf(units, PRECISION),
        salt: salt.toString("hex"),
        path: this.#path(index),
      };
    });
    return { ...COUNT, head: headOf({ ...COUNT, currencies }), currencies, account_id: String(accountId), leaves };
  }

  #path(index: number) {
    return this.#levels.flatMap((level, height) => {
      const place = Math.floor(index / 2 ** height);
      const beside = level[place % 2 === 0 ? place + 1 : place - 1];
      if (beside === undefined || level.length === 1) return [];
      return [{ hash: Buffer.from(beside.hash).toString("hex"), amount: decimalOf(beside.units, PRECISION) }];
    });
  }
}

/** As `join`, of sums that may have gone below 0, which wrap as they would in memory. */
function joined(left: SumNode, right: SumNode): SumNode {
  const wrapped = (node: SumNode) => ({ ...node, units: BigInt.asUintN(64, node.units) });
  return { hash: join(wrapped(left), wrapped(right)).hash, units: left.units + right.units };
}

const honest = (_height: number, _place: number, node: SumNode) => node;

describe("a sum tree", () => {
  test("contents everybody, and adds up to what everybody is owed", async () => {
    await fc.assert(
      fc.asyncProperty(someAccounts, async (accounts) => {
        for (const [id, proof] of proofsOf(accounts))
          assert.ok(await isContent(id, accounts.get(id) as bigint, proof), `${id}`);
        const sum = [...accounts.values()].reduce((before, units) => before + units, 0n);
        assert.equal(treeOf(accounts).total, sum);
      }),
      runs(60),
    );
  });

  test("is the tree that plain code makes of the same leaves", () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const proofs = [...proofsOf(accounts).values()];
        const leaves = proofs.flatMap((proof) =>
          proof.leaves.map((leaf) => ({ ...leaf, id: Number(proof.account_id) })),
        );
        leaves.sort((one, other) => one.index - other.index);
        let level: SumNode[] = leaves.map(({ id, amount, salt }) => {
          const units = BigInt(amount.replace(".", ""));
          return { hash: leafHash(id, units, Buffer.from(salt, "hex")), units };
        });
        while (level.length > 1) {
          const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => level.slice(at * 2, at * 2 + 2));
          level = pairs.map(([left, right]) =>
            right === undefined ? (left as SumNode) : join(left as SumNode, right),
          );
        }
        assert.equal(Buffer.from(level[0]?.hash ?? []).toString("hex"), proofs[0]?.currencies[0]?.root);
      }),
      runs(30),
    );
  });

  test("puts the same accounts elsewhere under another key, in other pieces", () => {
    const accounts: Accounts = new Map(Array.from({ length: 50 }, (_, at) => [at + 1, 1_000_000n]));
    const [one, other] = [treeOf(accounts, 1), treeOf(accounts, 2)].map((tree) =>
      [...accounts.keys()].map((id) => leavesFor(tree, id, PRECISION).map(({ index, amount }) => `${index} ${amount}`)),
    ) as [string[][], string[][]];
    const same = one.filter((leaves, at) => leaves.some((leaf) => other[at]?.includes(leaf)));
    assert.deepEqual(same, []);
    assert.ok(new Set(one.flat().map((leaf) => leaf.split(" ")[1])).size > 90, "pieces have sizes of their own");
  });

  test("adds up what an account has in several places", () => {
    const rows = new OwedRows();
    for (let at = 0; at < 5_000; at++) rows.add((at % 7) + 1, at % 3, BigInt(at));
    const owed = gather(rows);
    assert.deepEqual([...owed.keys()], [0, 1, 2]);
    const all = [...owed.values()].flatMap(({ units }) => [...units]).reduce((one, other) => one + other, 0n);
    assert.equal(all, (4_999n * 5_000n) / 2n);
  });
});

/** A lie of the venue: what it shows to whom. `victim` is owed `had`; gives his proof. */
const LIES: Readonly<
  Record<string, (accounts: readonly (readonly [number, bigint])[], victim: number, by: number) => LiabilityProof>
> = {
  "a leaf is too small": (accounts, victim) => {
    const lied = accounts.map(([id, units], at) => [id, at === victim ? units - 1n : units] as const);
    return new PlainTree(lied, honest).proof(idAt(accounts, victim), [victim]);
  },
  "an account is left out": (accounts, victim) => {
    const lied = accounts.filter((_, at) => at !== victim);
    return new PlainTree(lied, honest).proof(idAt(accounts, victim), []);
  },
  "an account is left out, and shown the leaf of another": (accounts, victim) => {
    const other = accounts.findIndex((_, at) => at !== victim);
    const lied = accounts.map(
      ([id], at) => [at === victim ? idAt(accounts, other) : id, accounts[victim]?.[1] ?? 0n] as const,
    );
    return new PlainTree(lied, honest).proof(idAt(accounts, victim), [other]);
  },
  "half of what an account is owed stands there, and is shown twice": (accounts, victim) => {
    const half = (accounts[victim]?.[1] ?? 0n) / 2n;
    const lied = accounts.map(([id, units], at) => [id, at === victim ? half : units] as const);
    return new PlainTree(lied, honest).proof(idAt(accounts, victim), [victim, victim]);
  },
  "the sum of a node above is too small": (accounts, victim, by) => {
    // Of the nodes above him, the first from some level on: the root is always one.
    const from = 1 + (by % Math.floor(Math.log2(accounts.length)));
    let isTold = false;
    const lie = (height: number, place: number, node: SumNode) => {
      if (isTold || height < from || place !== Math.floor(victim / 2 ** height)) return node;
      isTold = true;
      return { hash: node.hash, units: node.units - 1n };
    };
    const tree = new PlainTree(accounts, lie);
    return tree.proof(idAt(accounts, victim), [victim]);
  },
  "the sum of a node is the larger of the two below": (accounts, victim) => {
    const lie = (height: number, place: number, node: SumNode) =>
      height === 1 && place === Math.floor(victim / 2) ? { hash: node.hash, units: node.units / 2n } : node;
    return new PlainTree(accounts, lie).proof(idAt(accounts, victim), [victim]);
  },
  "a leaf beside is below 0": (accounts, victim) => {
    const other = victim % 2 === 0 ? victim + 1 : victim - 1;
    const lied = accounts.map(([id, units], at) => [id, at === other ? -1_000_000n : units] as const);
    return new PlainTree(lied, honest).proof(idAt(accounts, victim), [victim]);
  },
  "a leaf beside is so large that sums wrap": (accounts, victim) => {
    const other = victim % 2 === 0 ? victim + 1 : victim - 1;
    const lied = accounts.map(([id, units], at) => [id, at === other ? 2n ** 64n - 1_000_000n : units] as const);
    const tree = new PlainTree(lied, honest);
    return tree.proof(idAt(accounts, victim), [victim], BigInt.asUintN(64, tree.total));
  },
  "the total is smaller than the root's sum": (accounts, victim) => {
    const tree = new PlainTree(accounts, honest);
    return tree.proof(idAt(accounts, victim), [victim], tree.total - 1n);
  },
  "the head is of other roots": (accounts, victim) => {
    const tree = new PlainTree(accounts, honest);
    const proof = tree.proof(idAt(accounts, victim), [victim]);
    return { ...proof, head: tree.proof(idAt(accounts, victim), [victim], tree.total - 1n).head };
  },
};

function idAt(accounts: readonly (readonly [number, bigint])[], at: number): number {
  return accounts[at]?.[0] ?? 0;
}

describe("a lie is found by whom it is told to:", () => {
  for (const [name, lie] of Object.entries(LIES)) {
    test(name, async () => {
      await fc.assert(
        fc.asyncProperty(someAccounts, fc.nat(), fc.nat(), async (some, at, by) => {
          // An even number, so that everybody has a neighbour; amounts that are no neighbour's.
          const accounts = [...some]
            .slice(0, some.size - (some.size % 2))
            .map(([id, units], row) => [id, units * 100n + BigInt(row) + 2n] as const);
          const victim = at % accounts.length;
          const [id, had] = accounts[victim] as readonly [number, bigint];
          assert.ok(
            await isContent(id, had, new PlainTree(accounts, honest).proof(id, [victim])),
            "an honest venue contents him",
          );
          assert.equal(await isContent(id, had, lie(accounts, victim, by)), false);
        }),
        runs(60),
      );
    });
  }
});

describe("a proof that is no proof is refused with a sentence:", () => {
  const sound = proofsOf(
    new Map([
      [1, 5n],
      [2, 6n],
      [3, 7n],
    ]),
  ).get(2) as LiabilityProof;
  const changes: Readonly<Record<string, (proof: LiabilityProof) => unknown>> = {
    nothing: () => null,
    "a number": () => 7,
    "a list": () => [],
    "no leaves": ({ leaves: _, ...rest }) => rest,
    "leaves that are none": (proof) => ({ ...proof, leaves: [null] }),
    "a place below 0": (proof) => ({ ...proof, leaves: proof.leaves.map((leaf) => ({ ...leaf, index: -1 })) }),
    "a place beyond the last": (proof) => ({ ...proof, leaves: proof.leaves.map((leaf) => ({ ...leaf, index: 99 })) }),
    "endless leaves": (proof) => ({
      ...proof,
      currencies: proof.currencies.map((one) => ({ ...one, leaf_count: 1e15 })),
    }),
    "a way that is too long": (proof) => ({
      ...proof,
      leaves: proof.leaves.map((leaf) => ({ ...leaf, path: [...leaf.path, ...leaf.path] })),
    }),
    "a way that is too short": (proof) => ({ ...proof, leaves: proof.leaves.map((leaf) => ({ ...leaf, path: [] })) }),
    "an amount with an exponent": (proof) => ({
      ...proof,
      leaves: proof.leaves.map((leaf) => ({ ...leaf, amount: "1e3" })),
    }),
    "a salt that is none": (proof) => ({ ...proof, leaves: proof.leaves.map((leaf) => ({ ...leaf, salt: "zz" })) }),
    "two roots of a currency": (proof) => ({ ...proof, currencies: [...proof.currencies, ...proof.currencies] }),
    "another account": (proof) => ({ ...proof, account_id: "3" }),
    "an account that is no number": (proof) => ({ ...proof, account_id: "two" }),
  };
  for (const [name, change] of Object.entries(changes)) {
    test(name, async () => {
      await assert.rejects(
        verifyProof(change(sound)),
        (error) => error instanceof ProofUnsound && /\.$/.test(error.message),
      );
    });
  }
  test("whatever number or text of it is changed", async () => {
    const places = placesIn(sound);
    assert.ok(places.length > 20);
    for (const at of places) {
      const spoilt = structuredClone(sound) as unknown as Record<string, unknown>;
      const owner = at.slice(0, -1).reduce<Record<string, unknown>>((part, name) => part[name] as never, spoilt);
      const last = at.at(-1) as string;
      const before = owner[last] as string | number;
      owner[last] = typeof before === "number" ? before + 1 : withOtherEnd(before);
      await assert.rejects(verifyProof(spoilt), ProofUnsound, at.join("."));
    }
  });
  test("and the answer of the API that it came in will do", async () => {
    assert.equal((await verifyProof({ code: 0, data: sound, message: "OK" })).accountId, "2");
  });
});

/** The places of all numbers and texts in a value. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return Object.entries(value).flatMap(([name, part]) => placesIn(part, [...at, name]));
}

/** Another text of the same kind. */
function withOtherEnd(text: string): string {
  return text.slice(0, -1) + (text.endsWith("1") ? "2" : "1");
}
