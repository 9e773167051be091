/** Risks to money in the terms of chains, a sentence each: told at the start and to operators. */
import type { EvmOptions } from "./chain-terms.ts";
import { distinctNodes, isLoopback } from "./distinct-nodes.ts";

export function risksOf(chains: ReadonlyMap<string, EvmOptions>): readonly string[] {
  return [...chains].flatMap(([name, terms]) => risksOn(name, terms));
}

function risksOn(name: string, { rpc, oneNode }: EvmOptions): readonly string[] {
  const urls = distinctNodes(rpc).map((url) => new URL(url));
  const risks: string[] = [];
  if (urls.length === 1) {
    risks.push(
      oneNode === "trust"
        ? `${name} has a single node, and what it says is credited: whoever controls that node can credit ` +
            "himself. Name a second one in rpc."
        : `${name} has a single node: its deposits wait for an operator, and no failed payment is given back. ` +
            "Name a second one in rpc.",
    );
  }
  const hosts = urls.map(({ hostname }) => hostname);
  for (const host of new Set(hosts.filter((one, at) => hosts.indexOf(one) < at))) {
    risks.push(`${name} has several nodes at ${host}: whoever controls that host speaks for all of them.`);
  }
  for (const { protocol, hostname, host } of urls) {
    if (protocol !== "http:" || isLoopback(hostname)) continue;
    risks.push(`${name} reaches its node ${host} over plain http: whoever is on the way can answer for it. Use https.`);
  }
  return risks;
}
