/**
 * The sockets of the port: those of the current generation, and those of the legacy one where it is served, on the same
 * feeds.
 */
import type { WebSessions } from "./auth/web-sessions.ts";
import type { ReadBarrier } from "./http/read-barrier.ts";
import type { RequestObserver } from "./http/request-observer.ts";
import type { GatewayLog } from "./http/server.ts";
import type { LegacySocketContract } from "./legacy/sockets/contract.ts";
import { legacyGeneration } from "./legacy/sockets/generation.ts";
import { liveLegacyContract } from "./legacy/sockets/live-contract.ts";
import { CHANNELS, LEGACY_CHANNELS, LEGACY_SOCKET_CALLS } from "./parts.ts";
import type { Figures } from "./refused.ts";
import type { SocketBackend } from "./ws/channel.ts";
import type { SocketEvent } from "./ws/connection.ts";
import type { SocketContract } from "./ws/contract.ts";
import { type AsOverHttp, currentGeneration } from "./ws/current-generation.ts";
import type { SocketAuthenticator } from "./ws/generation.ts";
import type { Hub } from "./ws/hub.ts";
import { openHubs, type ServedOnSockets } from "./ws/hubs.ts";
import type { SocketFaults } from "./ws/inject-fault.ts";
import { type SocketLimits, socketLimits } from "./ws/limits.ts";
import { liveSocketContract } from "./ws/live-contract.ts";
import { SocketServer } from "./ws/server.ts";
import type { SocketObserver } from "./ws/socket-observer.ts";
import type { NodeRun } from "./ws/watched-clients.ts";

export interface SocketOptions {
  readonly backend: SocketBackend;
  readonly limits?: Partial<SocketLimits>;
  /** Which run of which node holds the connections; the only node unless given. */
  readonly run?: NodeRun;
  /**
   * Counts a message or an attempt to connect of an address; false when there were too many. As the rate limits say
   * unless given.
   */
  readonly admit?: (address: string) => boolean;
  /** A time that runs evenly, in ms, for what has to do with connections. */
  readonly now?: () => number;
  /** Calls `beat` every so many ms until what it gives is called; a test beats by hand. */
  readonly every?: (ms: number, beat: () => void) => () => void;
  /** Counts what becomes of connections. */
  readonly onEvent?: (event: SocketEvent) => void;
}

export interface OpenSockets {
  readonly sockets: SocketOptions;
  readonly contract: SocketContract;
  readonly authenticator: SocketAuthenticator;
  /** As existing clients know the contract; see docs/reference/compat.md. */
  readonly compat: boolean;
  /** Without it there are no legacy sockets. */
  readonly legacy?:
    | { readonly contract: LegacySocketContract; readonly authenticator: SocketAuthenticator }
    | undefined;
  /** Reads the cookie that comes with a handshake; without, nobody does. */
  readonly sessions?: WebSessions | undefined;
  /** Names the handshakes. */
  readonly observer?: RequestObserver | undefined;
  /** Hears of what is refused over sockets, in the dev profile. */
  readonly socketObserver?: SocketObserver | undefined;
  /** Faults that are injected on purpose, in the dev profile. */
  readonly faults?: SocketFaults | undefined;
  /** The barrier that a login or a signed request waits for, in a venue with several nodes. */
  readonly readBarrier?: ReadBarrier | undefined;
  /** How many messages an address may send, for who asks. */
  readonly admitFigures?: Figures | undefined;
  /** The endpoints that methods call as over HTTP, and the wording of their answers. */
  readonly asOverHttp: AsOverHttp;
  readonly log: GatewayLog;
}

export function openSockets({
  sockets,
  compat,
  legacy,
  sessions,
  observer,
  socketObserver,
  faults,
  admitFigures,
  readBarrier,
  asOverHttp,
  log,
  ...current
}: OpenSockets): SocketServer {
  const { backend, limits: given, run, ...rest } = sockets;
  const contract = compat ? liveSocketContract(current.contract) : current.contract;
  const limits = { ...socketLimits(contract), ...given };
  const served: ServedOnSockets[] = [
    { ...current, generation: currentGeneration(contract, CHANNELS, asOverHttp), endpoints: contract.endpoints },
  ];
  if (legacy !== undefined) {
    const generation = legacyGeneration(
      compat ? liveLegacyContract(legacy.contract) : legacy.contract,
      LEGACY_CHANNELS,
      LEGACY_SOCKET_CALLS,
    );
    served.push({ ...legacy, generation, endpoints: legacy.contract.endpoints });
  }
  const open = () => {
    const forDev = { observer: socketObserver, faults, admitFigures };
    const opened = openHubs({ generations: served, limits, backend, run, readBarrier, log, ...forDev });
    const hubs = new Map<string, Hub>();
    for (const [at, { endpoints }] of served.entries()) {
      for (const { markets: kind, path } of endpoints) {
        const hub = opened[at]?.get(kind);
        // A path is looked up without a slash at its end.
        if (hub !== undefined) hubs.set(path === "/" ? "" : path, hub);
      }
    }
    return hubs;
  };
  return new SocketServer({ openHubs: open, limits, sessions, observer, ...rest });
}
