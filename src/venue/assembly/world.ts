import type { Logger } from "pino";
import type { SecretVault } from "../../gateway/auth/secret-vault.ts";
import type { ChainAddresses } from "../../gateway/backend.ts";
import type { RateFigures } from "../../gateway/limits/figures.ts";
import type { SharedQuotas } from "../../gateway/limits/shared/shared-quotas.ts";
import type { Mailer } from "../../gateway/web/mails.ts";
import type { Clock } from "../clock.ts";
import type { LogTail } from "../log-tail.ts";

/**
 * Everything that a venue is given beside its settings. Optional parts come from the machine or from the settings;
 * tests give their own.
 */
export interface World {
  readonly log: Logger;
  /** The lines that were written to it last. */
  readonly logTail: LogTail;
  /** The log or history failed: nothing more may be acknowledged, the process has to end. */
  readonly onFault: (fault: Error) => void;
  /** Closes what the venue opens, in the opposite order. */
  readonly opened: AsyncDisposableStack;
  /** Where clients and operators reach it, as `http://HOST:PORT`. */
  readonly urls: { readonly api: string; readonly admin: string };
  readonly started: StartTime;
  /** The venue's clock. */
  readonly clock?: Clock | undefined;
  /** The time of people and their devices, ms. */
  readonly machineNow?: (() => number) | undefined;
  /** A time that runs evenly, ms, by which attempts are counted. */
  readonly evenNow?: (() => number) | undefined;
  /** Seals secrets. */
  readonly vault?: SecretVault | undefined;
  readonly mailer?: Mailer | undefined;
  /** Tells what chains say of addresses. */
  readonly addresses?: ChainAddresses | undefined;
  /** Joins those that share the quotas. */
  readonly shareQuotas?: ((rates: RateFigures) => Promise<SharedQuotas>) | undefined;
  /** Whether the venue takes no more commands. */
  readonly isFull?: (() => boolean) | undefined;
}

/** When a start began: by the machine's clock, and by a time that runs evenly. Both in ms. */
export interface StartTime {
  readonly wallMs: number;
  readonly evenMs: number;
}

export function startTime(): StartTime {
  return { wallMs: Date.now(), evenMs: performance.now() };
}
