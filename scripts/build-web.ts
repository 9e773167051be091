/**
 * `node scripts/build-web.ts` builds the programs of `web/`: the terminal into `web/dist`, the console into
 * `web/dist/console`. Each has its page, and below `app` its scripts and styles with their hash in the name, each
 * beside its compressed forms. With `--if-needed` only when what it is made of has changed since.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type Plugin, type Rolldown } from "vite";
import solid from "vite-plugin-solid";
import { noticesOf, packageFolders } from "./notices.ts";
import { isBuilt, sourceHash } from "./web-bundle.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "web");
const dist = join(folder, "dist");

/** Programs that build at once are few: each of them loses at most once to each other. */
const PLACE_TRIES_MAX = 10;

/** Fonts are compressed already. */
const COMPRESSED = /\.woff2$/;

if (!process.argv.includes("--if-needed") || !isBuilt(root)) {
  // Made aside and put in place at the end: a venue that starts meanwhile finds the old bundle or the new one, never
  // half of it.
  const aside = join(folder, `dist-${process.pid}`);
  const built = sourceHash(root);
  try {
    // Apart, so that a listener hands out its own program only.
    await bundle("index.html", aside);
    await bundle("console.html", join(aside, "console"));
    writeFileSync(join(aside, "built-from"), built);
    putInPlace(aside);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Another program may put the same in place at the same time, between the two steps. */
function putInPlace(aside: string): void {
  for (let tries = 1; ; tries++) {
    rmSync(dist, { recursive: true, force: true });
    try {
      renameSync(aside, dist);
      return;
    } catch (error) {
      if (isBuilt(root)) return;
      if (tries === PLACE_TRIES_MAX) throw error;
    }
  }
}

async function bundle(page: string, to: string): Promise<void> {
  const made = (await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: "warn",
    plugins: [solid(), firstPaint()],
    build: {
      outDir: to,
      emptyOutDir: false,
      assetsDir: "app",
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
      // How long plugins take is no warning to anyone who starts a venue for the first time.
      rolldownOptions: { input: join(folder, page), checks: { bundlerTimings: false } },
    },
  })) as Rolldown.RolldownOutput;
  const folders = packageFolders(made.output, folder);
  writeFileSync(join(to, "THIRD-PARTY-NOTICES.txt"), noticesOf(folders));
  const paths = folders.map((each) => relative(root, each).split(sep).join("/"));
  writeFileSync(join(to, "bundled.json"), JSON.stringify({ folders: paths }));
  compressFiles(join(to, "app"));
}

/**
 * Puts a small script before everything else in the head: a module runs after the first frame, and the policy of the
 * pages allows no script within the page itself.
 */
function firstPaint(): Plugin {
  const source = readFileSync(join(folder, "src", "first-paint.js"), "utf8");
  return {
    name: "first-paint",
    buildStart() {
      this.emitFile({ type: "asset", name: "first-paint.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle: made }) => {
        const file = Object.values(made ?? {}).find(
          (each) => each.type === "asset" && each.names.includes("first-paint.js"),
        );
        if (file === undefined) throw new Error("The script of the first frame is not in the bundle.");
        return [{ tag: "script", attrs: { src: `/${file.fileName}` }, injectTo: "head-prepend" as const }];
      },
    },
  };
}

function compressFiles(app: string): void {
  for (const name of readdirSync(app).filter((each) => !COMPRESSED.test(each))) {
    const body = readFileSync(join(app, name));
    writeFileSync(join(app, `${name}.gz`), gzipSync(body, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(join(app, `${name}.br`), brotliCompressSync(body, { params }));
  }
}
