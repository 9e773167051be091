/** `bourse backup`, `verify` and `restore`: a venue in one file, checked, and made a data directory again. */
import { resolve } from "node:path";
import type { Command } from "commander";
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
  readonly to?: string;
  readonly data?: string;
  readonly json?: boolean;
}

export function addBackupVerbs(program: Command): void {
  program
    .command("backup")
    .summary("write a venue into one file, also while it runs")
    .description(
      "Write all that a venue needs to go on elsewhere into one file that must not exist yet: its log, verified on the way, its " +
        "newest snapshot, its history and the key of its secrets. The file is as secret as the venue.",
    )
    .exitOverride()
    .enablePositionalOptions()
    .option("--to <FILE>", "the file, a tar")
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
      const { file, bytes, manifest } = makeBackup(dataDirWithLog(options.data), resolve(options.to), versionOf());
      print({ file, bytes, ...summaryOf(manifest) }, options.json);
    });
  program
    .command("verify")
    .summary("check a backup")
    .description(
      "Read a backup to its end and hold every byte against the hashes in it. Ends with code 3 when it is not sound.",
    )
    .argument("<FILE>", "the backup")
    .option("--json", "print the answer as JSON")
    .action((file: string, options: BackupOptions) => {
      const manifest = verifyBackup(resolve(file));
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
    .option("--json", "print the answer as JSON")
    .action((file: string, options: BackupOptions & { data: string }) => {
      const manifest = restoreBackup(resolve(file), options.data);
      print({ data: resolve(options.data), ...summaryOf(manifest) }, options.json);
    });
}

function summaryOf({ venue_id, seq, time, log_hash, version, made_at }: Manifest) {
  return { venue_id, seq, time, log_hash, version, made_at };
}
