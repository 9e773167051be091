/**
 * The bill of materials of the package, in the JSON of CycloneDX 1.6: everything that is installed beside it, and every
 * package of which something was copied into its bundles. Our own and not `npm sbom`: that one leaves out a part of
 * what production needs and knows no bundle.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface LockEntry {
  readonly version?: string;
  readonly name?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

export interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: "required" | "optional";
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  readonly licenses: readonly { readonly expression: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/**
 * `bundled`: folders of the packages that something was copied of, relative to `root`, such as `node_modules/solid-js`.
 */
export function billOfMaterials(root: string, bundled: readonly string[]): object {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
  const { name, version, license } = read("package.json");
  const { packages } = read("package-lock.json") as { packages: Record<string, LockEntry> };
  const copied = new Set(bundled);
  const components = new Map<string, Component>();
  for (const [path, entry] of Object.entries(packages)) {
    const isInstalled = path !== "" && entry.dev !== true && entry.devOptional !== true;
    if (!isInstalled && !copied.has(path)) continue;
    const component = componentOf(path, entry, isInstalled ? "installed" : "bundled");
    components.set(component["bom-ref"], component);
  }
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...{ type: "application", "bom-ref": purlOf(name, version), name, version, purl: purlOf(name, version) },
        licenses: [{ expression: license }],
      },
    },
    components: [...components.values()].sort((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1)),
  };
}

function componentOf(path: string, entry: LockEntry, how: "installed" | "bundled"): Component {
  const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const { version = "", integrity = "", license } = entry;
  const purl = purlOf(name, version);
  const digest = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    ...{ type: "library", "bom-ref": purl, name, version, purl },
    scope: entry.optional === true ? "optional" : "required",
    hashes: [{ alg: "SHA-512", content: digest }],
    licenses: license === undefined ? [] : [{ expression: license }],
    properties: [{ name: "bourse:presence", value: how }],
  };
}

/** The address of a package in npm's registry, wherever that is. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}
