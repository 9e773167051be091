/** The OCI images: built, unpacked again, and run in a chroot as their user with the command that they name. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { ownBinary } from "../../scripts/node-binaries.js";
import { repositoryRoot } from "../house/program.ts";
import { alone } from "./stranger.ts";

const isThere = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
const missing = ["umoci", "skopeo", "dpkg", "ldd", "chroot"].filter((tool) => !isThere(tool));

function reason(): string | false {
  if (process.platform !== "linux" || ownBinary() === undefined) return "Images are built on Linux.";
  if (missing.length > 0) return `${missing.join(", ")} is not installed here.`;
  return process.getuid?.() === 0 ? false : "A chroot needs root.";
}

interface ImageConfig {
  readonly config: {
    readonly Entrypoint: string[];
    readonly Cmd: string[];
    readonly Env: string[];
    readonly User: string;
  };
}

describe("the image", { skip: reason() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-image-test-"));
  const executable = join(folder, "bourse");
  const script = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: repositoryRoot, stdio: ["ignore", "ignore", "pipe"] });

  before(() =>
    alone(() => {
      script("scripts/build-package.ts");
      script("scripts/build-executable.ts", "--to", executable);
      rmSync(join(repositoryRoot, "npm-shrinkwrap.json"), { force: true });
    }),
  );
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Where an image was unpacked, and what it says of itself. */
  function unpacked(variant: string): { rootfs: string; config: ImageConfig["config"] } {
    const archive = join(folder, `${variant}.tar`);
    script("scripts/build-image.ts", "--executable", executable, "--variant", variant, "--to", archive);
    const layout = join(folder, `layout-${variant}`);
    execFileSync("skopeo", ["copy", "--quiet", `oci-archive:${archive}`, `oci:${layout}:image`]);
    const text = execFileSync("skopeo", ["inspect", "--config", `oci:${layout}:image`], { encoding: "utf8" });
    execFileSync("umoci", ["unpack", "--image", `${layout}:image`, join(folder, variant)], { stdio: "ignore" });
    return { rootfs: join(folder, variant, "rootfs"), config: (JSON.parse(text) as ImageConfig).config };
  }

  async function serves(variant: string, prepare: (rootfs: string) => void): Promise<void> {
    const { rootfs, config } = unpacked(variant);
    prepare(rootfs);
    assert.equal(config.User, "7400:7400");
    const env = Object.fromEntries(config.Env.map((each) => each.split("=") as [string, string]));
    const command = [...config.Entrypoint, ...config.Cmd, "--port", "0", "--log-level", "warn"];
    const child = spawn("/usr/sbin/chroot", ["--userspec", config.User, rootfs, ...command], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (piece: Buffer) => (errors += piece));
    const exited = once(child, "exit");
    try {
      const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), exited])) as [
        unknown,
      ];
      const port =
        /^bourse ready http:\/\/\S+:(\d+) admin/.exec(String(line))?.[1] ?? assert.fail(`${line}\n${errors}`);
      for (const path of ["/v2/time", "/docs"]) {
        assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path);
      }
    } finally {
      child.kill("SIGTERM");
    }
    assert.deepEqual(await exited, [0, null], errors);
    // The program lay ready, readable for its user: nothing was written beside the data.
    assert.equal(readdirSync(join(rootfs, "usr/lib/bourse")).length, 1);
    assert.deepEqual(readdirSync(rootfs).sort(), ["data", "etc", "lib", "lib64", "tmp", "usr"]);
  }

  test("for development serves at once, in memory", () => serves("dev", () => {}));

  test("for production serves with the operator's configuration and keeps its data in the volume", async () => {
    await serves("production", (rootfs) => {
      mkdirSync(join(rootfs, "etc/bourse"));
      writeFileSync(join(rootfs, "etc/bourse/bourse.json"), JSON.stringify({ profile: "production" }));
    });
    assert.ok(readdirSync(join(folder, "production/rootfs/data")).includes("log.sqlite"));
    assert.match(readFileSync(join(folder, "production/rootfs/etc/passwd"), "utf8"), /^bourse:x:7400:/m);
  });
});
