/** The notices that licences ask for: who copies a package into a bundle hands its copyright and licence on with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Rolldown } from "vite";

const RULE = `\n${"-".repeat(80)}\n\n`;

/**
 * Folder of the package that a module belongs to; `undefined` for a module of this repository, or one that the bundler
 * has made.
 */
function packageFolderOf(moduleId: string): string | undefined {
  return /^(?:\0)?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}

/**
 * Folders of all packages that something of was copied into what was built: modules, and files such as fonts, whose
 * names are relative to `root`.
 */
export function packageFolders(made: readonly Rolldown.RolldownOutput["output"][number][], root: string): string[] {
  const sources = made.flatMap((each) =>
    each.type === "chunk" ? each.moduleIds : each.originalFileNames.map((name) => resolve(root, name)),
  );
  return [...new Set(sources.flatMap((id) => packageFolderOf(id) ?? []))].sort();
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export function packageOf(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  return { name, version, license };
}

/** The licences of these packages, one below the other, with the notices that some have beside theirs. */
export function noticesOf(folders: readonly string[]): string {
  return folders.map(noticeOf).join(RULE);
}

function noticeOf(folder: string): string {
  const { name, version, license } = packageOf(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length > 0) return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
  const { author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return (
    `${name} ${version}\n\n${license}, by ` +
    `${typeof author === "string" ? author : (author?.name ?? "its authors")}\n`
  );
}
