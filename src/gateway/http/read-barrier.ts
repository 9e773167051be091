import type { Service } from "./server.ts";

/** Settles when this node has applied what any other one had answered; rejects when that cannot be proved. */
export type ReadBarrier = () => Promise<void>;

/**
 * A service of a venue with several nodes: who is answered by one of them and then asks another finds there what he
 * did, or is refused.
 */
export function behindBarrier(service: Service, barrier: ReadBarrier | undefined): Service {
  if (barrier === undefined) return service;
  const serve = (context: Parameters<Service>[0]): void => {
    barrier().then(
      () => context.goOn(() => service(context)),
      () => context.goOn(() => context.refuse("busy")),
    );
  };
  return service.screen === undefined ? serve : Object.assign(serve, { screen: service.screen });
}
