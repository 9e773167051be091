import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chainBook } from "../../src/engine/chains/chain-book.ts";
import { sealedSeeds, seedName } from "../../src/gateway/auth/sealed.ts";
import { openAdminVenue } from "../admin/venue.ts";
import { repositoryRoot } from "../house/program.ts";

test("seeds of chains are sealed anew with the key of the secrets, and the old key opens them no more", async (t) => {
  const venue = await openAdminVenue(t);
  const { vault, engine } = venue;
  const words = "twenty-four words";
  const seedCipher = vault.seal(seedName("ERC20"), words);
  chainBook(engine.state, "ERC20").seedCipher = seedCipher;
  assert.deepEqual((await venue.post("/admin/secret-key", {})).data, { api_keys: 0 });
  const [seed] = sealedSeeds(engine.state);
  assert.ok(seed !== undefined && seed.secretCipher !== seedCipher);
  assert.equal(vault.unseal(seed.accessId, seed.secretCipher), words);
  assert.throws(() => vault.unseal(seedName("ERC20"), seedCipher));
  assert.throws(() => vault.unseal(seedName("TRC20"), seed.secretCipher), "it is worth nothing under another name");
});

test("what an EVM chain needs is loaded by a venue that has one, and by no other", () => {
  const folder = join(repositoryRoot, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const evm = join("chains", "evm");
  const atOnce = files.filter((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return !name.startsWith(evm) && /^import (?!type )[^;]*from "(?:viem|[^"]*\/evm\/[^"]*)/m.test(text);
  });
  assert.deepEqual(atOnce, []);
  assert.ok(files.some((name) => name.startsWith(evm)));
});
