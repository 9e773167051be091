/** A program of before, beside the one that is tested: the files of a commit, as far as the clone has it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repositoryRoot } from "../house/program.ts";

export interface OlderProgram {
  /** Its main file; undefined: that of this program. */
  readonly program: string | undefined;
  /** With the newest version of the rules taken from it: what that comes to changes until it is released. */
  readonly env: NodeJS.ProcessEnv;
  /** Which program it is, as a sentence. */
  readonly what: string;
  remove(): void;
}

export function olderProgram(commit: string): OlderProgram {
  const folder = checkout(commit);
  const root = folder ?? repositoryRoot;
  const plant = pathToFileURL(join(root, "test", "cluster", "older-program.ts")).href;
  return {
    program: folder && join(folder, "src", "cli", "main.ts"),
    env: { ...process.env, NODE_OPTIONS: `--import=${plant}` },
    what:
      folder === undefined
        ? `This clone does not have commit ${commit}: the older nodes run today's program with the rules of before.`
        : `The older nodes run commit ${commit}.`,
    remove: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder with the files of a commit and the packages of today; undefined where the clone does not have it. */
function checkout(commit: string): string | undefined {
  const archive = spawnSync(
    "git",
    ["archive", commit, "src", "contract", "test/cluster", "test/support", "package.json"],
    {
      cwd: repositoryRoot,
      maxBuffer: 1024 ** 3,
    },
  );
  if (archive.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "bourse-older-"));
  mkdirSync(join(folder, "web"));
  const { status, stderr } = spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout, encoding: "utf8" });
  if (status !== 0) throw new Error(`The files of commit ${commit} could not be unpacked: ${stderr}`);
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  return folder;
}
