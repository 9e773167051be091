/**
 * What a fuzz run plays with: a venue of its own, its traders and their keys, and every id that an answer has shown.
 */
import type { ApiKeyPair } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import type { Chance } from "./chance.ts";

export interface Signer {
  readonly name: string;
  readonly key: ApiKeyPair;
}

/** Ids of one kind that are remembered; enough to meet old and new ones. */
const IDS_MAX = 64;
const FUNDS = { USDT: "100000000", BTC: "1000", ETH: "10000" };

export class World {
  readonly venue: VenueProcess;
  readonly signers: readonly Signer[];
  readonly spotMarkets: readonly string[];
  readonly futuresMarkets: readonly string[];
  /** What the venue's own document lists, as `METHOD /path`. */
  readonly served: ReadonlySet<string>;
  /** Gives addresses to ask from; undefined: all is asked from the machine's own. */
  readonly from: (() => string) | undefined;
  /** The venue's time, which stands still except where the run moves it. */
  nowMs = 0;
  readonly #ids = new Map<string, number[]>();

  static async open(): Promise<World> {
    const options = ["--clock", "virtual", "--makers", "off", "--limits", "off", "--compat", "off"];
    return await World.over(await VenueProcess.start(":memory:", ...options));
  }

  /**
   * Of a venue with a virtual clock that was started for it. `from` gives addresses to ask from, where each has a
   * quota.
   */
  static async over(venue: VenueProcess, from?: () => string): Promise<World> {
    await venue.admin("/admin/clock", { freeze: true });
    const signers: Signer[] = [];
    for (const name of ["fuzz-a", "fuzz-b"]) signers.push({ name, key: (await venue.trader(name, FUNDS)).key });
    const { userId } = await venue.trader("fuzz-main", FUNDS);
    const sub = await venue.admin("/admin/users", { name: "fuzz-sub", main_user_id: userId });
    for (const [name, user_id, permissions] of [
      ["fuzz-reader", userId, ["read"]],
      ["fuzz-sub", sub.user_id, ["read", "trade"]],
    ] as const) {
      const { access_id, secret_key } = await venue.admin("/admin/api-keys", { user_id, permissions });
      signers.push({ name, key: { accessId: access_id, secret: secret_key } });
    }
    const marketsOf = async (path: string) =>
      ((await venue.client().get(path)).data as readonly { market: string }[]).map(({ market }) => market);
    const document = (await (await fetch(`${venue.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const served = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const [spotMarkets, futuresMarkets] = [await marketsOf("/v2/spot/market"), await marketsOf("/v2/futures/market")];
    const world = new World(venue, signers, spotMarkets, futuresMarkets, new Set(served), from);
    await world.advance(0);
    return world;
  }

  private constructor(
    venue: VenueProcess,
    signers: readonly Signer[],
    spotMarkets: readonly string[],
    futuresMarkets: readonly string[],
    served: ReadonlySet<string>,
    from: (() => string) | undefined,
  ) {
    this.venue = venue;
    this.signers = signers;
    this.spotMarkets = spotMarkets;
    this.futuresMarkets = futuresMarkets;
    this.served = served;
    this.from = from;
  }

  async stateHash(): Promise<string> {
    return (await this.venue.admin("/admin/status")).state_hash;
  }

  async advance(ms: number): Promise<void> {
    await this.venue.admin("/admin/clock", { advance_ms: ms });
    this.nowMs = (await this.venue.admin("/admin/status")).time_ms;
  }

  /** An id of this kind that somebody has, or none that anybody has. */
  id(chance: Chance, name: string): number {
    const known = this.#ids.get(name === "id" ? "order_id" : name);
    return known === undefined || chance.is(0.1) ? 1 + chance.below(1_000_000) : chance.pick(known);
  }

  /** Remembers the ids in what was answered. */
  learn(chance: Chance, value: unknown): void {
    if (Array.isArray(value)) for (const each of value.slice(0, 8)) this.learn(chance, each);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        // What has a client's id as well is an order, which the legacy generation calls by its id alone.
        if (name === "id" && "client_id" in value && Number.isSafeInteger(each)) {
          this.#remember(chance, "order_id", each as number);
        } else if (name.endsWith("_id") && Number.isSafeInteger(each)) this.#remember(chance, name, each as number);
        else this.learn(chance, each);
      }
    }
  }

  #remember(chance: Chance, name: string, id: number): void {
    const known = this.#ids.get(name) ?? [];
    this.#ids.set(name, known);
    if (known.length < IDS_MAX) known.push(id);
    else known[chance.below(IDS_MAX)] = id;
  }
}
