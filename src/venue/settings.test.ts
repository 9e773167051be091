import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { loadContract } from "../gateway/current/contract.ts";
import { rateFigures } from "../gateway/limits/figures.ts";
import { defaultDataDir, SettingsError, settingsOf } from "./settings.ts";

function configFile(t: TestContext, content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-settings-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bourse.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function refusalOf(given: Record<string, unknown>): string {
  try {
    settingsOf(given);
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.message;
  }
  return "taken";
}

test("without anything said it is a dev venue on this machine, with makers and the concessions to existing clients", () => {
  assert.deepEqual(settingsOf({}), {
    profile: "dev",
    config: undefined,
    data: defaultDataDir(),
    backups: undefined,
    history: undefined,
    cluster: undefined,
    secretKey: undefined,
    host: "127.0.0.1",
    port: 7400,
    adminHost: "127.0.0.1",
    adminPort: 7401,
    clock: "real",
    startTimeMs: undefined,
    frozen: false,
    listing: undefined,
    markets: 3,
    pastMs: 604_800_000,
    accounts: "fixed",
    clockJumpMs: 5_000,
    makers: true,
    compat: true,
    strict: false,
    legacy: true,
    limits: true,
    rates: {
      ipPerSecond: 400,
      groupsPerSecond: undefined,
      longLimits: new Map([
        ["1H", 20_000],
        ["4H", 60_000],
        ["8H", 100_000],
        ["24H", 200_000],
      ]),
      longEffectiveMinE4: 50,
      longLifespanMinMs: 1_000,
    },
    quotas: undefined,
    seed: 1,
    serviceNames: ["SVC", "COINEX"],
    logLevel: "info",
    logFormat: undefined,
    snapshotEvery: 1_000_000,
    diskLow: 64,
    diskMin: 16,
    connectionsPerAddress: 1_000,
    proxies: { trusted: [], header: "x-forwarded-for" },
    signUp: true,
    smtp: undefined,
    mailFrom: "bourse@localhost",
    webOrigin: undefined,
    fourEyes: { call: new Map(), day: new Map(), recipient: new Map() },
    reopensAuthority: false,
    backup: { recipient: undefined, passphraseFile: undefined, withSecrets: false },
    withdrawReview: new Map(),
    onShortfall: "tell",
    liabilitiesEveryMs: 0,
    chains: new Map(),
    simulatedChains: true,
    custodyElsewhere: new Map(),
  });
});

test("unless something is set the rate limits are those of the contract", () => {
  const contract = loadContract();
  assert.deepEqual(rateFigures(contract, settingsOf({}).rates), rateFigures(contract));
});

test("figures of rate limits are set by name, as text or in the file as an object", (t) => {
  const groups = { "spot:Cancel orders": 90, "futures:Place, edit, adjust position": 5 };
  const asText = settingsOf({ "group-rates": JSON.stringify(groups), "long-limits": "4H=7,1H=5" }).rates;
  const config = configFile(t, { "group-rates": groups, "long-limits": { "4H": 7, "1H": 5 }, "ip-rate": 9 });
  const { rates } = settingsOf({ config, "long-effective-min": "0.25" });
  for (const { groupsPerSecond, longLimits } of [asText, rates]) {
    assert.deepEqual(Object.fromEntries(groupsPerSecond ?? []), groups);
    assert.deepEqual(Object.fromEntries(longLimits ?? []), { "4H": 7, "1H": 5 });
  }
  assert.deepEqual([rates.ipPerSecond, rates.longEffectiveMinE4], [9, 2_500]);
  assert.equal(settingsOf({ "long-limits": "none" }).rates.longLimits?.size, 0);
});

test("quotas are shared on a server that a URL names, and a password is repeated nowhere", () => {
  for (const url of ["redis://127.0.0.1", "rediss://me:a%2Fb@quotas.example.com:6380/3", "redis://:secret@[::1]:6379/"])
    assert.equal(settingsOf({ quotas: url }).quotas, url);
  assert.equal(settingsOf({ quotas: "none" }).quotas, undefined);
  const wrong = [
    "http://x",
    "redis://",
    "redis://:secret@h/0/1",
    "redis://:secret@h/zero",
    "redis://:se%cret@h",
    "redis://:secret@h?a=1",
  ];
  for (const quotas of wrong) {
    assert.throws(() => settingsOf({ quotas }), {
      message: "The setting --quotas must be a URL such as redis://:password@quotas.example.com:6379/0, or none.",
    });
  }
  assert.throws(
    () => settingsOf({ smtp: "imap://me:secret@h" }),
    ({ message }: Error) => /^The setting --smtp must be /.test(message) && !message.includes("secret"),
  );
  assert.throws(() => settingsOf({ quotas: "redis://127.0.0.1", limits: "off" }), {
    message: "Quotas can be shared only where there are limits; set limits to on, or quotas to none.",
  });
});

test("the production profile is locked down unless its file says otherwise", (t) => {
  const config = configFile(t, { profile: "production" });
  const settings = settingsOf({ config });
  assert.deepEqual(
    [settings.profile, settings.makers, settings.compat, settings.clock, settings.serviceNames],
    ["production", false, false, "real", ["SVC"]],
  );
  assert.equal(settingsOf({ config: configFile(t, { profile: "production", compat: true }) }).compat, true);
});

test("a flag wins over the file, the file over the profile, and relative paths start where they stand", (t) => {
  const config = configFile(t, { port: 80, data: "venue", makers: false, "service-names": ["alpha", "BETA", "Alpha"] });
  const settings = settingsOf({ config, port: "81" });
  assert.equal(settings.port, 81);
  assert.equal(settings.makers, false);
  assert.equal(settings.data, resolve(config, "..", "venue"));
  assert.deepEqual(settings.serviceNames, ["ALPHA", "BETA"]);
  assert.equal(settingsOf({ data: "elsewhere" }).data, resolve("elsewhere"));
  assert.equal(settingsOf({ data: ":memory:" }).data, ":memory:");
});

test("port 0 asks for free ports, of the admin interface too unless that has its own", () => {
  assert.equal(settingsOf({ port: "0" }).adminPort, 0);
  assert.equal(settingsOf({ port: "0", "admin-port": "9000" }).adminPort, 9000);
});

test("every bad setting is refused with one sentence that names it and what it may be", (t) => {
  const inFile = (content: unknown) => ({ config: configFile(t, content) });
  const table: [given: Record<string, unknown>, sentence: RegExp][] = [
    [{ prot: "1" }, /^The setting --prot does not exist\. Did you mean --port\?$/],
    [{ toString: "1" }, /^The setting --toString does not exist\.$/],
    [{ port: "abc" }, /^The setting --port must be a whole number from 0 to 65535, not "abc"\.$/],
    [{ port: "" }, /^The setting --port must be a whole number/],
    [{ port: "65536" }, /^The setting --port must be/],
    [{ port: "-1" }, /^The setting --port must be/],
    [{ port: "1e3" }, /^The setting --port must be/],
    [{ port: "99999999999999999999" }, /^The setting --port must be/],
    [{ profile: "prod" }, /^The setting --profile must be dev or production, not "prod"\.$/],
    [{ clock: "fake" }, /^The setting --clock must be real or virtual/],
    [{ makers: "yes" }, /^The setting --makers must be on or off, not "yes"\.$/],
    [{ host: "no host" }, /^The setting --host must be an IP address or a host name/],
    [{ data: "" }, /^The setting --data must be the path of a directory, or :memory:/],
    [{ "log-level": "loud" }, /^The setting --log-level must be trace, debug, info, warn, error, fatal or silent/],
    [{ "service-names": "A,,B" }, /^The setting --service-names must be 1 to 8 names/],
    [{ "snapshot-every": "10" }, /^The setting --snapshot-every must be a whole number from 1000 to/],
    [{ port: "81", "admin-port": "81" }, /^The API and the admin interface cannot both listen on port 81\.$/],
    [{ profile: "production" }, /^The production profile needs a configuration file; name it with --config FILE\.$/],
    [{ config: "nowhere/at-all.json" }, /^The configuration file nowhere\/at-all\.json cannot be read\.$/],
    [inFile("{"), /^The configuration file .* is no JSON\.$/],
    [inFile([]), /^The configuration file .* must hold a JSON object\.$/],
    [inFile(null), /^The configuration file .* must hold a JSON object\.$/],
    [inFile({ prot: 1 }), /^The setting "prot" in .* does not exist\. Did you mean "port"\?$/],
    [inFile({ port: null }), /^The setting "port" in .* must be a whole number from 0 to 65535, not null\.$/],
    [inFile({ port: 1.5 }), /^The setting "port" in .* must be a whole number/],
    [inFile({ compat: 1 }), /^The setting "compat" in .* must be on or off, not 1\.$/],
    [{ "ip-rate": "0" }, /^The setting --ip-rate must be a whole number from 1 to 1000000/],
    [{ "group-rates": "{" }, /^The setting --group-rates must be a JSON object with names of rate groups/],
    [{ "group-rates": '{"spot:Nothing": 1}' }, /^The setting --group-rates must be a JSON object/],
    [inFile({ "group-rates": { "spot:Cancel orders": 0 } }), /^The setting "group-rates" in .* must be a JSON object/],
    [{ "long-limits": "2H=1" }, /^The setting --long-limits must be periods of 1H, 4H, 8H, 24H with whole numbers/],
    [{ "long-limits": "1H" }, /^The setting --long-limits must be periods/],
    [{ "long-effective-min": "1.5" }, /^The setting --long-effective-min must be a share from 0 to 1/],
    [inFile({ "service-names": [1] }), /^The setting "service-names" in .* must be 1 to 8 names/],
    [inFile({ config: "x" }), /^The configuration file .* cannot name another one; remove the key "config"\.$/],
    [inFile('{"__proto__":{"port":1}}'), /^The setting "__proto__" in .* does not exist\.$/],
    [inFile({ profile: "production", clock: "virtual" }), /^The production profile runs on the real clock only\.$/],
    [inFile({ profile: "production", makers: "on" }), /^The production profile has no simulated market; set makers/],
  ];
  for (const [given, sentence] of table) assert.match(refusalOf(given), sentence);
});

const CHAIN = { rpc: "http://127.0.0.1:8545", chain_id: 1, coin: "ETH" };

/** Terms of a chain, and whether they make sense. */
const CHAINS: readonly (readonly [unknown, boolean])[] = [
  [CHAIN, true],
  [{ ...CHAIN, rpc: ["http://127.0.0.1:8545", "https://node.example/key"] }, true],
  [{ ...CHAIN, rpc: [] }, false],
  [{ ...CHAIN, rpc: "ftp://node.example" }, false],
  [{ ...CHAIN, chain_id: "1" }, false],
  [{ ...CHAIN, coin: undefined }, false],
  [{ ...CHAIN, cold_adress: "" }, false],
  [{ ...CHAIN, cold_address: "0x1" }, false],
  [{ ...CHAIN, cold_address: "0x00000000000000000000000000000000000c01D0" }, true],
  [{ ...CHAIN, hot: { ETH: { least: "1", target: "5", most: "10" } } }, true],
  [{ ...CHAIN, hot: { ETH: { target: "5", most: "4" } } }, false],
  [{ ...CHAIN, hot: { ETH: { most: "4" } } }, false],
  [{ ...CHAIN, sweep_min: { USDT: "25.5" } }, true],
  [{ ...CHAIN, sweep_min: { USDT: "-1" } }, false],
  [{ ...CHAIN, poll_ms: -1 }, false],
  [{ ...CHAIN, one_node: "hold", decimals: { USDT: 6 } }, true],
  [{ ...CHAIN, one_node: "trust" }, true],
  [{ ...CHAIN, one_node: "believe" }, false],
  [{ ...CHAIN, decimals: { USDT: "6" } }, false],
  [{ ...CHAIN, decimals: { USDT: 37 } }, false],
  [{ ...CHAIN, decimals: [6] }, false],
];

test("the terms of a chain are taken whole or not at all", () => {
  for (const [terms, isSound] of CHAINS) {
    const read = () => settingsOf({ chains: JSON.stringify({ ERC20: terms }) }).chains.get("ERC20");
    if (isSound) assert.deepEqual(read()?.coin, "ETH", JSON.stringify(terms));
    else assert.throws(read, SettingsError, JSON.stringify(terms));
  }
});

test("a start time and a frozen clock make the clock virtual, and go with no real one", () => {
  const { clock, startTimeMs, frozen } = settingsOf({ "start-time": "2026-01-01T00:00:00Z", frozen: true });
  assert.deepEqual([clock, startTimeMs, frozen], ["virtual", 1_767_225_600_000, true]);
  assert.equal(settingsOf({ "start-time": "1767225600000" }).startTimeMs, 1_767_225_600_000);
  assert.match(refusalOf({ frozen: "on", clock: "real" }), /set clock to virtual/);
  for (const time of ["2026-01-01", "2026-01-01T00:00:00", "yesterday", "-5", "0", "1e99"])
    assert.match(refusalOf({ "start-time": time }), /must be a time such as/);
});

test("accounts are fixed on addresses of this machine alone", () => {
  assert.equal(settingsOf({ host: "0.0.0.0" }).accounts, "random");
  assert.equal(settingsOf({ "admin-host": "192.0.2.1" }).accounts, "random");
  assert.equal(settingsOf({ host: "127.0.0.2", "admin-host": "::1" }).accounts, "fixed");
  // Behind a proxy come others than those of this machine.
  assert.equal(settingsOf({ "trusted-proxies": "127.0.0.1" }).accounts, "random");
  assert.match(refusalOf({ host: "0.0.0.0", accounts: "fixed" }), /everybody can work out/);
});

test("a history is kept where an address of PostgreSQL says, and a wrong one is not repeated", () => {
  const sound = [
    "postgres://user:s3cret@db.example.com:5432/bourse",
    "postgresql://user@[::1]/bourse?sslmode=require",
    "postgres://user@localhost/bourse?host=/run/postgresql",
  ];
  for (const history of sound) assert.equal(settingsOf({ history }).history, history);
  assert.equal(settingsOf({ history: "none" }).history, undefined);
  const wrong = [
    "postgres://user:s3cret@db",
    "postgres://db/bourse",
    "mysql://user:s3cret@db/bourse",
    "s3cret",
    "postgres://user:s3cret@db/b?options=x",
  ];
  for (const history of wrong) {
    assert.throws(
      () => settingsOf({ history }),
      (error: Error) => {
        assert.match(error.message, /^The setting --history must be an address such as [^"]*$/);
        return !error.message.includes("s3cret");
      },
    );
  }
  assert.throws(
    () => settingsOf({ history: sound[0], data: ":memory:" }),
    /no log that a history in PostgreSQL could be read again from/,
  );
});
