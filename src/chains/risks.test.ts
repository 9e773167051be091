import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvmOptions } from "./chain-terms.ts";
import { risksOf } from "./risks.ts";

/** Nodes, what one of them is trusted with, and what is told of it. */
const ROWS: readonly (readonly [readonly string[], EvmOptions["oneNode"], readonly RegExp[]])[] = [
  [["https://a.example/key", "https://b.example/key"], "hold", []],
  [["http://127.0.0.1:8545", "https://b.example"], "hold", []],
  [["http://localhost:8545", "http://[::1]:8546"], "hold", []],
  [["https://a.example"], "hold", [/^X has a single node: its deposits wait for an operator/]],
  [["https://a.example", "https://a.example"], "hold", [/^X has a single node/]],
  [["https://a.example"], "trust", [/^X has a single node, and what it says is credited/]],
  [["https://a.example", "https://A.example:443/"], "hold", [/^X has a single node/]],
  [["https://a.example/x", "https://me:secret@a.example./x/"], "hold", [/^X has a single node/]],
  [["http://localhost:8545", "http://127.0.0.1:8545/"], "hold", [/^X has a single node/]],
  [["http://127.0.0.1:8545", "http://[::1]:8545"], "trust", [/^X has a single node, and what it says is credited/]],
  [["https://a.example/1", "https://a.example/2"], "hold", [/^X has several nodes at a\.example/]],
  [["http://10.0.0.5:8545", "https://b.example"], "hold", [/^X reaches its node 10\.0\.0\.5:8545 over plain http/]],
  [["http://127.0.0.1.example"], "trust", [/^X has a single node/, /^X reaches its node 127\.0\.0\.1\.example over/]],
];

test("what puts money at risk in the terms of a chain is told, and never an address with its key", () => {
  for (const [rpc, oneNode, expected] of ROWS) {
    const terms: EvmOptions = {
      ...{ rpc, oneNode, decimals: new Map(), chainId: 1, coin: "ETH", pollMs: 1, treasuryMs: 1, staleAfterMs: 0 },
      ...{ stuckAfterMs: 1, maxFeeGwei: 1, startBlock: 0, hot: new Map(), coldAddress: "", sweepMin: new Map() },
    };
    const risks = risksOf(new Map([["X", terms]]));
    assert.equal(risks.length, expected.length, `${rpc}: ${risks}`);
    for (const [at, sentence] of expected.entries()) assert.match(risks[at] ?? "", sentence);
    assert.doesNotMatch(risks.join(), /key/);
  }
});
