/**
 * Where the key lies that secrets are sealed with, when it does not lie in the data directory.
 * docs/guides/operators.md, "Keys".
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SecretVault } from "../gateway/auth/secret-vault.ts";

/** The name of the systemd credential: `LoadCredential=bourse-secret-key:/etc/bourse/secret.key`. */
const CREDENTIAL = "bourse-secret-key";
const VARIABLE = "BOURSE_SECRET_KEY";

/**
 * The vault of the file that the setting names, of the credential that systemd has put beside the program, or of the
 * environment; undefined where none of them has a key. Throws SecretVaultError.
 */
export function vaultFromElsewhere(
  file: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): SecretVault | undefined {
  if (file !== undefined) return SecretVault.shared(file);
  const folder = environment["CREDENTIALS_DIRECTORY"];
  const credential = folder === undefined ? undefined : join(folder, CREDENTIAL);
  if (credential !== undefined && existsSync(credential)) return SecretVault.shared(credential);
  const key = environment[VARIABLE];
  return key === undefined ? undefined : SecretVault.given(key, VARIABLE);
}
