/**
 * `node scripts/build-image.ts --executable FILE --variant dev|production --to ARCHIVE` makes an OCI image without a
 * daemon and without a base: the single executable, the system libraries that it is linked with, certificates, a user,
 * and nothing else. Needs umoci, skopeo and dpkg, so a Debian of the platform that the executable is for; load the
 * archive with `docker load` or `podman load`, or push it with skopeo.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  /** A venue in memory whose ports are reached from outside. */
  dev: ["start", "--data", ":memory:", "--host", "0.0.0.0"],
  production: ["start", "--config", "/etc/bourse/bourse.json", "--data", "/data", "--host", "0.0.0.0"],
};
/** Of the user in the image, who owns /data. */
const USER_ID = 7400;

const { values } = parseArgs({
  options: { executable: { type: "string" }, variant: { type: "string", default: "dev" }, to: { type: "string" } },
});
const command = VARIANTS[values.variant];
if (values.executable === undefined || values.to === undefined || command === undefined) {
  console.error("Usage: node scripts/build-image.ts --executable FILE --variant dev|production --to ARCHIVE");
  process.exit(2);
}
const executable = resolve(values.executable);
const archive = resolve(values.to);
const folder = mkdtempSync(join(tmpdir(), "bourse-image-"));
try {
  build(command);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
}

function build(cmd: readonly string[]): void {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const layout = join(folder, "layout");
  const image = `${layout}:${values.variant}`;
  run("umoci", "init", "--layout", layout);
  run("umoci", "new", "--image", image);
  run("umoci", "unpack", "--image", image, join(folder, "bundle"));
  fill(join(folder, "bundle", "rootfs"));
  run("umoci", "repack", "--image", image, join(folder, "bundle"));
  const config = [
    "--config.user",
    `${USER_ID}:${USER_ID}`,
    "--config.workingdir",
    "/data",
    "--config.stopsignal",
    "SIGTERM",
  ];
  config.push("--config.volume", "/data", "--config.exposedports", "7400/tcp");
  config.push(
    "--config.env",
    "PATH=/usr/bin",
    "--config.env",
    "BOURSE_CACHE=/usr/lib/bourse",
    "--config.env",
    "HOME=/data",
  );
  config.push("--config.label", `org.opencontainers.image.version=${version}`);
  config.push("--config.label", "org.opencontainers.image.licenses=Apache-2.0");
  config.push("--config.entrypoint", "/usr/bin/bourse", ...cmd.flatMap((word) => ["--config.cmd", word]));
  run("umoci", "config", "--image", image, ...config);
  mkdirSync(dirname(archive), { recursive: true });
  rmSync(archive, { force: true });
  run("skopeo", "copy", "--quiet", `oci:${image}`, `oci-archive:${archive}:bourse:${version}-${values.variant}`);
}

function fill(rootfs: string): void {
  const put = (from: string, to: string, mode: number) => {
    mkdirSync(dirname(join(rootfs, to)), { recursive: true });
    cpSync(realpathSync(from), join(rootfs, to), { dereference: true });
    chmodSync(join(rootfs, to), mode);
  };
  put(executable, "/usr/bin/bourse", 0o755);
  for (const library of librariesOf(executable)) {
    put(library, library, 0o755);
    const text = `/usr/share/doc/${packageOf(library)}/copyright`;
    if (existsSync(text)) put(text, text, 0o644);
  }
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  if (existsSync(certificates)) put(certificates, certificates, 0o644);
  mkdirSync(join(rootfs, "etc"), { recursive: true });
  writeFileSync(join(rootfs, "etc/passwd"), `root:x:0:0::/:/nologin\nbourse:x:${USER_ID}:${USER_ID}::/data:/nologin\n`);
  writeFileSync(join(rootfs, "etc/group"), `root:x:0:\nbourse:x:${USER_ID}:\n`);
  mkdirSync(join(rootfs, "tmp"), { mode: 0o1777 });
  chmodSync(join(rootfs, "tmp"), 0o1777);
  mkdirSync(join(rootfs, "data"), { mode: 0o700 });
  chownSync(join(rootfs, "data"), USER_ID, USER_ID);
  // The program lies ready, so that a container writes nothing but its data.
  const cache = join(rootfs, "usr/lib/bourse");
  mkdirSync(cache, { recursive: true });
  for (const made of [cache, dirname(cache), join(rootfs, "usr")]) chmodSync(made, 0o755);
  const env = { BOURSE_CACHE: cache, PATH: "/nothing" };
  execFileSync(executable, ["--version"], { env, stdio: "ignore" });
}

/** Shared libraries that a program is linked with, and the loader, at the places where it looks for them. */
function librariesOf(program: string): string[] {
  return run("ldd", program)
    .split("\n")
    .flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

/** The Debian package that a library belongs to, whether or not /lib is a link into /usr. */
function packageOf(library: string): string {
  for (const path of [library, realpathSync(library), `/lib/${library.replace(/^\/usr\/lib\//, "")}`]) {
    try {
      return run("dpkg", "-S", path).split(":")[0] as string;
    } catch {
      // It is known by another path.
    }
  }
  return basename(library);
}
