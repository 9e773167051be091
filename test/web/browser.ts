/** Debian's Chromium, driven by playwright-core, which brings no browser of its own. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where distributions put it; `CHROMIUM` names another one. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** What it takes here; a page needs neither sandbox of its own under root nor shared memory in a container. */
const FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];

/**
 * The path of a Chromium; installed from Debian where that is possible. Otherwise the sentence that says why there is
 * none.
 */
export function chromiumPath(): { readonly path: string } | { readonly missing: string } {
  const found = [process.env["CHROMIUM"], ...PLACES].find((path) => path !== undefined && existsSync(path));
  if (found !== undefined) return { path: found };
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).error !== undefined) {
    return {
      missing: "There is no Chromium here, and only root on Debian can have it installed: apt-get install chromium.",
    };
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"];
  for (const args of [["update"], install]) spawnSync("apt-get", args, { env, stdio: "ignore" });
  return existsSync(PLACES[0] as string)
    ? { path: PLACES[0] as string }
    : { missing: "There is no Chromium here, and apt-get could not install it." };
}

export async function openBrowser(): Promise<Browser> {
  const chromiumHere = chromiumPath();
  if ("missing" in chromiumHere) throw new Error(chromiumHere.missing);
  return await chromium.launch({ executablePath: chromiumHere.path, args: FLAGS });
}
