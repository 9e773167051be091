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
  /** The codes and messages of each refusal that the part adds, in every generation. */
  readonly refusals: RefusalRows;
  /**
   * The figures that decided each refusal, for callers who ask why. A refusal without a source has only its sentence
   * and the fields of the command.
   */
  readonly figures?: Readonly<Record<string, FigureSource>>;
  /** The endpoints of the current generation that it serves. */
  readonly handlers?: (backend: Backend, printers: Printers) => Handlers;
  /** Those of the legacy generation. */
  readonly legacy?: (backend: Backend, printers: Printers) => LegacyHandlers;
  /** The calls that operators may make on it. */
  readonly calls?: readonly AdminCall[];
  /** Its finders for the search of operators. */
  readonly finds?: readonly Finder[];
  /** Descriptions of the first words of these calls' verbs: `market list` and similar verbs have `market`. */
  readonly nouns?: Readonly<Record<string, string>>;
  /** The channels of the sockets that it serves. */
  readonly channels?: readonly ChannelDeclaration[];
  /** The channels and methods that it serves on the sockets of the legacy generation. */
  readonly legacySockets?: {
    readonly channels?: readonly ChannelDeclaration[];
    /** Methods with answers of their own. */
    readonly calls?: LegacySocketCalls;
  };
}
