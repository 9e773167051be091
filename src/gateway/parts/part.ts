import type { AdminCall } from "../admin/call.ts";
import type { Finder } from "../admin/search.ts";
import type { Backend } from "../backend.ts";
import type { Handlers } from "../current/api.ts";
import type { LegacyHandlers } from "../legacy/call.ts";
import type { LegacySocketCalls } from "../legacy/sockets/generation.ts";
import type { FigureSource } from "../reading/figures.ts";
import type { Printers } from "../reading/market-printer.ts";
import type { RefusalRows } from "../refusal-rows.ts";
import type { ChannelDeclaration } from "../ws/channel.ts";

/** A product's share of the gateway: all that users and operators see of it. One folder, and one line in `parts.ts`. */
export interface GatewayPart {
  readonly name: string;
  /** What each refusal that the part brings says in every generation. */
  readonly refusals: RefusalRows;
  /** What they are decided by, for who asks why; a refusal without has its sentence and what the command names. */
  readonly figures?: Readonly<Record<string, FigureSource>>;
  /** The endpoints of the current generation that it serves. */
  readonly handlers?: (backend: Backend, printers: Printers) => Handlers;
  /** Those of the legacy generation. */
  readonly legacy?: (backend: Backend, printers: Printers) => LegacyHandlers;
  /** What an operator may do with it. */
  readonly calls?: readonly AdminCall[];
  /** What an operator finds in it. */
  readonly finds?: readonly Finder[];
  /** What the first words of the verbs of these calls are about: `market list` and its like have `market`. */
  readonly nouns?: Readonly<Record<string, string>>;
  /** The channels of the sockets that it serves. */
  readonly channels?: readonly ChannelDeclaration[];
  /** What it serves on the sockets of the legacy generation. */
  readonly legacySockets?: {
    readonly channels?: readonly ChannelDeclaration[];
    /** Methods with answers of their own. */
    readonly calls?: LegacySocketCalls;
  };
}
