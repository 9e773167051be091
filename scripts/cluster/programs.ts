/**
 * Programs of other makers that several nodes, or tests of them, need: where Debian puts them, and how they come here.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Its path, or the sentence that says why there is none. */
export type Program = { readonly path: string } | { readonly missing: string };

interface Wanted {
  /** As people call it. */
  readonly title: string;
  readonly package: string;
  find(): string | undefined;
}

const POSTGRESQL_VERSIONS = "/usr/lib/postgresql";

const WANTED = {
  etcd: { title: "etcd", package: "etcd-server", find: () => inPath("etcd") },
  etcdctl: { title: "etcdctl", package: "etcd-client", find: () => inPath("etcdctl") },
  redis: {
    title: "Redis or Valkey",
    // The tools alone: the package redis-server would start one of the machine's own.
    package: "redis-tools",
    // Debian's tools hold the server as well, which goes by the name that it is called by.
    find: () => inPath("valkey-server") ?? inPath("redis-server") ?? existing("/usr/bin/redis-check-rdb"),
  },
  spin: { title: "spin", package: "spin", find: () => inPath("spin") },
  // With what it needs to make a program: the compiler alone has no headers.
  compiler: { title: "a C compiler", package: "build-essential", find: () => inPath("gcc") },
  ip: { title: "iproute2", package: "iproute2", find: () => inPath("ip") },
  iptables: { title: "iptables", package: "iptables", find: () => inPath("iptables") },
  clocks: { title: "libfaketime", package: "libfaketime", find: fakeClocks },
  postgresql: { title: "PostgreSQL", package: "postgresql", find: postgresBinaries },
} as const satisfies Readonly<Record<string, Wanted>>;

export type ProgramName = keyof typeof WANTED;

const known = new Map<ProgramName, Program>();

/**
 * The program; of PostgreSQL the folder of its programs. Installs Debian's package where there is none and root asks.
 */
export function programHere(name: ProgramName): Program {
  const found = known.get(name) ?? lookedFor(name);
  known.set(name, found);
  return found;
}

/** Throws the sentence that says why it is not here. */
export function pathOf(name: ProgramName): string {
  const program = programHere(name);
  if ("missing" in program) throw new Error(program.missing);
  return program.path;
}

function lookedFor(name: ProgramName): Program {
  const { title, package: from, find } = WANTED[name];
  const there = find();
  if (there !== undefined) return { path: there };
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).error !== undefined) {
    return {
      missing: `There is no ${title} here, and only root on Debian can have it installed: apt-get install ${from}.`,
    };
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "--yes", "--no-install-recommends", from];
  for (const args of [["update"], install]) spawnSync("apt-get", args, { env, stdio: "ignore" });
  const path = find();
  return path === undefined
    ? { missing: `There is no ${title} here, and apt-get could not install ${from}.` }
    : { path };
}

function inPath(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

function fakeClocks(): string | undefined {
  const folders = readdirSync("/usr/lib").filter((name) => name.endsWith("-linux-gnu"));
  return folders
    .map((name) => join("/usr/lib", name, "faketime", "libfaketimeMT.so.1"))
    .find((path) => existsSync(path));
}

/** The newest version that is here; `POSTGRESQL` names another folder with initdb and postgres. */
function postgresBinaries(): string | undefined {
  const versions = existsSync(POSTGRESQL_VERSIONS) ? readdirSync(POSTGRESQL_VERSIONS) : [];
  versions.sort((one, other) => Number(other) - Number(one));
  const folders = [process.env["POSTGRESQL"], ...versions.map((version) => join(POSTGRESQL_VERSIONS, version, "bin"))];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, "initdb")));
}

/** Servers that refuse to run as root run as whom Debian's package made for PostgreSQL, or as nobody. */
export function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const [line] = ["postgres", "nobody"].flatMap((name) => lines.find((each) => each.startsWith(`${name}:`)) ?? []);
  const [, , uid, gid] = (line ?? "").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}
