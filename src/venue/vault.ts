/** The vault that a venue's secrets are sealed in. */
import type { Logger } from "pino";
import type { Engine } from "../engine/engine.ts";
import type { Chance } from "../gateway/auth/chance.ts";
import { allSealed } from "../gateway/auth/sealed.ts";
import { SecretVault } from "../gateway/auth/secret-vault.ts";
import type { DataDir } from "../log/data-dir.ts";

export interface VaultPlace {
  readonly engine: Pick<Engine, "state">;
  /** Undefined in memory. */
  readonly dataDir: DataDir | undefined;
  /** Seals with a key from elsewhere. */
  readonly sharedVault: SecretVault | undefined;
}

/** Opens the vault with the key from elsewhere, or with the venue's own, which is made where nothing is sealed yet. */
export function openVault({ engine, dataDir, sharedVault }: VaultPlace, chance: Chance, log: Logger): SecretVault {
  const sealed = allSealed(engine.state);
  const [oldest] = sealed;
  const vault = sharedVault ?? ownVault(dataDir, oldest === undefined, chance);
  // A rotation that was interrupted after its last secret: what only opens is needed no more.
  if (vault.isRotating && sealed.every((one) => vault.opensWithNewest(one))) vault.retire();
  if (oldest !== undefined && !vault.opens(oldest)) {
    log.error(
      "the key file is not the one that older API keys were sealed with: whoever has one of them cannot sign in",
    );
  }
  return vault;
}

function ownVault(dataDir: DataDir | undefined, isNew: boolean, chance: Chance): SecretVault {
  return dataDir === undefined ? SecretVault.inMemory(chance) : SecretVault.open(dataDir.path, isNew, chance);
}
