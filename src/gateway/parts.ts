import type { Command } from "../engine/command.ts";
import type { Refusal } from "../engine/refusal.ts";
import type { State } from "../engine/state.ts";
/**
 * The parts of the gateway, one line each: what they refuse, serve and show is put together here and nowhere else. What
 * a part forgets does not compile (a refusal without a row) or fails test/house/gateway-parts.test.ts.
 */
import type { AdminCall } from "./admin/call.ts";
import { searchCall } from "./admin/search.ts";
import type { Backend } from "./backend.ts";
import type { Handlers } from "./current/api.ts";
import type { LegacyHandlers } from "./legacy/call.ts";
import type { LegacySocketCalls } from "./legacy/sockets/generation.ts";
import { accounts } from "./parts/accounts/part.ts";
import { amm } from "./parts/amm/part.ts";
import { cancelAfter } from "./parts/cancel-after/part.ts";
import { chains } from "./parts/chains/part.ts";
import { credit } from "./parts/credit/part.ts";
import { futures } from "./parts/futures/part.ts";
import { identity } from "./parts/identity/part.ts";
import { liabilities } from "./parts/liabilities/part.ts";
import { listing } from "./parts/listing/part.ts";
import { maintenance } from "./parts/maintenance/part.ts";
import { margin } from "./parts/margin/part.ts";
import { marketMaker } from "./parts/market-maker/part.ts";
import { operators } from "./parts/operators/part.ts";
import type { GatewayPart } from "./parts/part.ts";
import { payments } from "./parts/payments/part.ts";
import { referral } from "./parts/referral/part.ts";
import { savings } from "./parts/savings/part.ts";
import { stops } from "./parts/stops/part.ts";
import { subs } from "./parts/subs/part.ts";
import { trading } from "./parts/trading/part.ts";
import { venue } from "./parts/venue/part.ts";
import { wallet } from "./parts/wallet/part.ts";
import { type FigureSource, namedIn } from "./reading/figures.ts";
import { Printers } from "./reading/market-printer.ts";
import { type AllRefusalRows, GATEWAY_ROWS } from "./refusal-rows.ts";
import type { Figures, WireRefusal } from "./refused.ts";
import type { ChannelDeclaration } from "./ws/channel.ts";

const LIST = [
  venue,
  listing,
  maintenance,
  accounts,
  wallet,
  trading,
  stops,
  amm,
  margin,
  futures,
  operators,
  payments,
  chains,
  savings,
  subs,
  credit,
  referral,
  identity,
  cancelAfter,
  liabilities,
  marketMaker,
] as const;

export const PARTS: readonly GatewayPart[] = LIST;

type KeyOf<Rows> = Rows extends unknown ? keyof Rows : never;
type RowName = keyof typeof GATEWAY_ROWS | KeyOf<(typeof LIST)[number]["refusals"]>;
type Nothing<Missing extends never> = Missing;

/** Does not compile while a refusal has no row; the compiler names it. */
export type RefusalWithoutRow = Nothing<Exclude<WireRefusal, RowName>>;

/** The rows of all refusals, by the refusal's name. */
export const REFUSAL_ROWS = joined("a refusal", [
  GATEWAY_ROWS,
  ...PARTS.map(({ refusals }) => refusals),
]) as AllRefusalRows;

const FIGURES: Readonly<Record<string, FigureSource>> = joined(
  "figures of",
  PARTS.map(({ figures = {} }) => figures),
);

/**
 * Returns a function for the figures that decided the refusal of a command; see Backend. An error while the figures are
 * read gives undefined, so that the refusal is still answered.
 */
export function figuresOf(state: State): (command: Command, refusal: Refusal) => Figures | undefined {
  const printers = new Printers(state);
  return (command, refusal) => {
    const asked = { state, printers, command };
    try {
      return { ...namedIn(asked), ...FIGURES[refusal]?.(asked) };
    } catch {
      return undefined;
    }
  };
}

/** The calls that operators may make. */
export const ADMIN_CALLS: readonly AdminCall[] = [
  ...PARTS.flatMap(({ calls = [] }) => calls),
  searchCall(PARTS.flatMap(({ finds = [] }) => finds)),
];

/** The subjects of the operators' verbs, by the first word of the verb. */
export const NOUNS: Readonly<Record<string, string>> = joined(
  "a noun",
  PARTS.map(({ nouns = {} }) => nouns),
);

/** The channels of the sockets. */
export const CHANNELS: readonly ChannelDeclaration[] = PARTS.flatMap(({ channels = [] }) => channels);

/** Those of the legacy generation, */
export const LEGACY_CHANNELS: readonly ChannelDeclaration[] = PARTS.flatMap(
  ({ legacySockets }) => legacySockets?.channels ?? [],
);

/** and its methods with answers of their own. */
export const LEGACY_SOCKET_CALLS: readonly LegacySocketCalls[] = PARTS.flatMap(
  ({ legacySockets }) => legacySockets?.calls ?? [],
);

/**
 * Every endpoint of the current generation that is served; under `compat` orders are printed as existing clients know
 * them.
 */
export function currentHandlers(backend: Backend, compat = false): Handlers {
  const printers = new Printers(backend.state, compat);
  return joined(
    "an endpoint",
    PARTS.map(({ handlers }) => handlers?.(backend, printers) ?? {}),
  );
}

/** Every endpoint of the legacy generation that is served. */
export function legacyHandlers(backend: Backend): LegacyHandlers {
  const printers = new Printers(backend.state);
  return joined(
    "a legacy endpoint",
    PARTS.map(({ legacy }) => legacy?.(backend, printers) ?? {}),
  );
}

/** Everything in one object. Throws when two parts bring the same. */
function joined<Values extends object>(what: string, parts: readonly Values[]): Values {
  const all: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      if (Object.hasOwn(all, name)) throw new Error(`Two parts of the gateway bring ${what}: ${name}.`);
      all[name] = value;
    }
  }
  return all as Values;
}
