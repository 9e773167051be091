/** `bourse backup`, `verify` and `restore`: a venue in one file, checked, and made a data directory again. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { lockOf, PASSPHRASE_VARIABLE, unlockOf } from "../venue/backup/lock-files.ts";
import { makeBackup } from "../venue/backup/make.ts";
import type { Manifest } from "../venue/backup/manifest.ts";
import { restoreBackup } from "../venue/backup/restore.ts";
import { verifyBackup } from "../venue/backup/verify.ts";
import { DATA_DEFAULT } from "../venue/settings.ts";
import { versionOf } from "../venue/version.ts";
import { CliError, EXIT } from "./exit.ts";
import { dataDirWithLog } from "./log.ts";
import { print } from "./output.ts";

interface BackupOptions {
  readonly recipient?: string;
  readonly passphraseFile?: string;
  readonly identity?: string;
  readonly withSecrets?: boolean;
  readonly to?: string;
  readonly data?: string;
  readonly json?: boolean;
}

export function addBackupVerbs(program: Command): void {
  program
    .command("backup")
    .summary("write a venue into one file, also while it runs")
    .description(
      "Write all that a venue needs to go on elsewhere into one file that must not exist yet: its log, verified on " +
        "the way, its newest snapshot and its history. Sealed for a recipient or with a passphrase it also holds the " +
        "key of its secrets.",
    )
    .exitOverride()
    .enablePositionalOptions()
    .option("--to <FILE>", "the file, a tar unless it is sealed")
    .option("--recipient <FILE>", "seal it for whoever has the private half of this X25519 public key (PEM)")
    .option("--passphrase-file <FILE>", `seal it with the passphrase in this file, or in ${PASSPHRASE_VARIABLE}`)
    .option("--with-secrets", "not sealed, hold the key of its secrets in clear text all the same")
    .option("--data <DIR>", `the venue's data directory (${DATA_DEFAULT})`)
    .option("--json", "print the answer as JSON")
    .action((options: BackupOptions) => {
      if (options.to === undefined) {
        throw new CliError(
          "Name the file with --to FILE, or let the running venue choose it with bourse backup create.",
          {
            exitCode: EXIT.usage,
          },
        );
      }
      const lock = lockOf(options);
      const terms = { lock, withSecrets: options.withSecrets ?? lock !== undefined };
      const { file, bytes, manifest } = makeBackup(
        dataDirWithLog(options.data),
        resolve(options.to),
        versionOf(),
        terms,
      );
      print({ file, bytes, sealed: lock !== undefined, ...summaryOf(manifest) }, options.json);
    });
  program
    .command("verify")
    .summary("check a backup")
    .description(
      "Read a backup to its end and hold every byte against the hashes in it. Ends with code 3 when it is not sound.",
    )
    .argument("<FILE>", "the backup")
    .option(...IDENTITY)
    .option(...PASSPHRASE)
    .option("--json", "print the answer as JSON")
    .action((file: string, options: BackupOptions) => {
      const manifest = verifyBackup(resolve(file), { unlock: unlockOf(options) });
      print({ file: resolve(file), ok: true, ...summaryOf(manifest), files: manifest.files }, options.json);
    });
  program
    .command("restore")
    .summary("make a data directory of a backup")
    .description(
      "Verify a backup and unpack it into a directory that is empty or does not exist. The venue then starts there.",
    )
    .argument("<FILE>", "the backup")
    .requiredOption("--data <DIR>", "the directory")
    .option(...IDENTITY)
    .option(...PASSPHRASE)
    .option("--json", "print the answer as JSON")
    .action((file: string, options: BackupOptions & { data: string }) => {
      const manifest = restoreBackup(resolve(file), options.data, unlockOf(options));
      print({ data: resolve(options.data), ...summaryOf(manifest) }, options.json);
    });
}

const IDENTITY = ["--identity <FILE>", "the X25519 private key (PEM) of whom it is sealed for"] as const;
const PASSPHRASE = [
  "--passphrase-file <FILE>",
  `the passphrase that it is sealed with, also from ${PASSPHRASE_VARIABLE}`,
] as const;

function summaryOf({ venue_id, seq, time, log_hash, version, made_at, files }: Manifest) {
  const has_secret_key = files.some(({ name }) => name === "secret.key");
  return { venue_id, seq, time, log_hash, version, made_at, has_secret_key };
}
