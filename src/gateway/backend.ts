import type { Command } from "../engine/command.ts";
import type { Engine, Outcome } from "../engine/engine.ts";
import type { LiabilityCount } from "../engine/liabilities/counts.ts";
import type { Refusal } from "../engine/refusal.ts";
import type { State } from "../engine/state.ts";
import type { Feeds } from "../feeds/feeds.ts";
import type { History } from "../history/history.ts";
import type { ProofLeaf } from "../liabilities/hashes.ts";
import type { SecretVault } from "./auth/secret-vault.ts";
import type { Figures } from "./refused.ts";

/** The questions about addresses that the venue's chains answer. */
export interface ChainAddresses {
  /**
   * The address of a user after so many renewals, the same for ever; undefined while the chain cannot be asked. User 0:
   * of all who share one.
   */
  addressOf(chain: string, userId: number, renewals: number): Promise<string | undefined>;
  /**
   * The one spelling of an address, checksummed where the chain has checksums; undefined when it is none, or there is
   * no such chain.
   */
  normalized(chain: string, address: string): string | undefined;
  /** Whether the chain is at work, so that it knows its addresses. One that was listed just now is opened first. */
  opened(chain: string): Promise<boolean>;
}

/** The trees of the last published count of liabilities. */
export interface CountedLiabilities {
  /** The leaves of an account, by currency id; undefined where this node has not made the trees of that count. */
  leavesOf(
    accountId: number,
    count: LiabilityCount,
  ): readonly (readonly [assetId: number, leaf: ProofLeaf])[] | undefined;
}

/** The venue behind the API: what handlers read, and the one way in which they change anything. */
export interface Backend {
  /** Live state, to be read only. It shows every command that has been answered and nothing that a crash could undo. */
  readonly state: State;
  /**
   * The view of everything that has ended. A question asked after a command was answered sees the effects of that
   * command.
   */
  readonly history: History;
  readonly feeds: Feeds;
  /** Seals the secrets of new keys before they enter the log. */
  readonly vault: Pick<SecretVault, "newKey">;
  /** The addresses on the venue's chains; undefined where nothing moves on any chain. */
  readonly addresses?: ChainAddresses | undefined;
  /** Amounts by currency, as decimals, above any of which a withdrawal waits for an operator. */
  readonly reviewBounds?: readonly ReadonlyMap<string, string>[];
  /**
   * Returns the figures that decided the refusal of a command that was just refused. Without this method nobody asks
   * for figures.
   */
  figuresOf?(command: Command, refusal: Refusal): Figures | undefined;
  /** Amounts that the venue owed each account when liabilities were counted; undefined where nobody counts. */
  readonly liabilities?: CountedLiabilities | undefined;
  /** Too much is waiting: commands are to be refused as `busy`. */
  readonly isBusy: boolean;
  /** The venue's time, ms. */
  now(): number;
  /**
   * Of a clock in somebody's hand: whether it stands, or is being moved on. The beats of sockets then come with the
   * groups of commands and not with the machine's time, so that the same steps cut the same pushes. Absent where the
   * venue runs on the machine's clock.
   */
  timeStands?: (() => boolean) | undefined;
  /**
   * Takes a command; `applied` is called when it is durable, right after the engine has applied it. The outcome and the
   * engine's event buffer hold only until `applied` returns. Commands submitted in one go stay next to each other.
   * Returns false, and does nothing, when the venue is stopping.
   */
  submit(command: Command, applied: (outcome: Outcome, engine: Engine) => void): boolean;
}
