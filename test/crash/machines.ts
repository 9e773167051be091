/**
 * Machines that are none: network namespaces, each with a wire to the others, which can be cut, and one to this
 * process, as clients have it, and with a clock of its own. Needs root and Debian's iproute2, iptables and libfaketime.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../scripts/cluster/local-cluster.ts";
import { pathOf, programHere } from "../../scripts/cluster/programs.ts";

/** Set aside for tests of networks (RFC 2544): nobody's own. */
const INNER = "198.18.0";
const OUTER = "198.19";

/** Why there can be none here; false where there can. */
export function withoutMachines(): string | false {
  if (process.getuid?.() !== 0) return "Only root can make networks of its own.";
  for (const program of [programHere("ip"), programHere("iptables"), programHere("clocks")])
    if ("missing" in program) return program.missing;
  return spawnSync("ip", ["netns", "list"]).status === 0 ? false : "This kernel has no network namespaces.";
}

export class Machines {
  readonly places: readonly Place[];
  readonly #clocks: readonly string[];
  readonly #namespaces: string[] = [];
  readonly #name = `bourse${process.pid}`;
  /** Rounds that are broken off must not leave networks behind. */
  readonly #atExit = () => this.remove();

  /** `dir` is where their clocks are set. */
  constructor(count: number, dir: string) {
    process.once("exit", this.#atExit);
    const hub = this.#namespace("hub");
    ip("-n", hub, "link", "add", "wires", "type", "bridge");
    ip("-n", hub, "link", "set", "wires", "up");
    const block = process.pid % 250;
    const numbers = Array.from({ length: count }, (_, at) => at);
    this.#clocks = numbers.map((at) => join(dir, `clock-${at}`));
    this.places = numbers.map((at): Place => {
      const own = this.#namespace(`${at}`);
      const [inner, outer, here] = [
        `${INNER}.${at + 1}`,
        `${OUTER}.${block}.${at * 4 + 2}`,
        `${OUTER}.${block}.${at * 4 + 1}`,
      ];
      ip("-n", own, "link", "set", "lo", "up");
      ip("-n", own, "link", "add", "inner", "type", "veth", "peer", "name", wireOf(at), "netns", hub);
      ip("-n", own, "address", "add", `${inner}/24`, "dev", "inner");
      ip("-n", own, "link", "set", "inner", "up");
      ip("-n", hub, "link", "set", wireOf(at), "master", "wires", "up");
      ip("-n", own, "link", "add", "outer", "type", "veth", "peer", "name", `b${process.pid}w${at}`, "netns", "1");
      ip("-n", own, "address", "add", `${outer}/30`, "dev", "outer");
      ip("-n", own, "link", "set", "outer", "up");
      ip("address", "add", `${here}/30`, "dev", `b${process.pid}w${at}`);
      ip("link", "set", `b${process.pid}w${at}`, "up");
      this.setClock(at, 0);
      const env = {
        ...{
          ...process.env,
          LD_PRELOAD: pathOf("clocks"),
          FAKETIME_TIMESTAMP_FILE: this.#clocks[at],
          FAKETIME_CACHE_DURATION: "1",
        },
        // Times of files, and what only ever runs on, are the machine's.
        ...{ NO_FAKE_STAT: "1", DONT_FAKE_MONOTONIC: "1" },
      };
      return { inner, outer, within: ["ip", "netns", "exec", own], env };
    });
  }

  /** Nothing goes from it to the others, or from them to it. Nobody is told. */
  cut(at: number): void {
    ip("-n", `${this.#name}-hub`, "link", "set", wireOf(at), "down");
  }

  mend(at: number): void {
    ip("-n", `${this.#name}-hub`, "link", "set", wireOf(at), "up");
  }

  /** What the others send does not come there, and what it sends goes on coming to them; or the other way round. */
  cutOneWay(at: number, way: "deaf" | "mute"): void {
    const rule = way === "deaf" ? ["INPUT", "--in-interface", "inner"] : ["OUTPUT", "--out-interface", "inner"];
    this.#filter(at, "--append", ...rule, "--jump", "DROP");
  }

  /** Of what comes there from the others this share is lost. */
  lose(at: number, share: number): void {
    const drawn = ["--match", "statistic", "--mode", "random", "--probability", `${share}`];
    this.#filter(at, "--append", "INPUT", "--in-interface", "inner", ...drawn, "--jump", "DROP");
  }

  /** All comes and goes again. */
  pass(at: number): void {
    this.#filter(at, "--flush");
  }

  #filter(at: number, ...rule: readonly string[]): void {
    run("ip", "netns", "exec", `${this.#name}-${at}`, pathOf("iptables"), "--wait", ...rule);
  }

  /** How far its clock is ahead of the true one, seconds; heard of within a second. */
  setClock(at: number, ahead: number): void {
    writeFileSync(this.#clocks[at] as string, `${ahead < 0 ? "" : "+"}${ahead}\n`);
  }

  /** What ran there must have ended. */
  remove(): void {
    process.off("exit", this.#atExit);
    for (const name of this.#namespaces.splice(0)) ip("netns", "delete", name);
  }

  #namespace(name: string): string {
    const whole = `${this.#name}-${name}`;
    ip("netns", "add", whole);
    this.#namespaces.push(whole);
    return whole;
  }
}

const wireOf = (at: number) => `wire${at}`;

const ip = (...args: readonly string[]) => run("ip", ...args);

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr.trim()}`);
}
