import type { Service } from "./server.ts";

/** Settles when this node has seen what any other one had answered; rejects when too few of them can be asked. */
export type Fence = () => Promise<void>;

/** A service of a venue with several nodes: who is answered by one of them and then asks another finds there what he did. */
export function fenced(service: Service, fence: Fence | undefined): Service {
  if (fence === undefined) return service;
  const serve = (exchange: Parameters<Service>[0]): void => {
    fence().then(
      () => exchange.goOn(() => service(exchange)),
      () => exchange.goOn(() => exchange.refuse("busy")),
    );
  };
  return service.screen === undefined ? serve : Object.assign(serve, { screen: service.screen });
}
