/**
 * All parts of the venue, a line each. Where their order matters, it is the order of this list: what others stand on
 * comes first.
 */
import { accounts } from "./accounts/part.ts";
import { amm } from "./amm/part.ts";
import { cancelAfter } from "./cancel-after/part.ts";
import { chains } from "./chains/part.ts";
import type { JsonCommand } from "./command.ts";
import { credit } from "./credit/part.ts";
import { futures } from "./futures/part.ts";
import { fillHooks } from "./hooks.ts";
import { identity } from "./identity/part.ts";
import { insurance } from "./insurance/part.ts";
import { liabilities } from "./liabilities/part.ts";
import { listing } from "./listing/part.ts";
import { maintenance } from "./maintenance/part.ts";
import { margin } from "./margin/part.ts";
import { marketMaker } from "./market-maker/part.ts";
import { operators } from "./operators/part.ts";
import type { Part } from "./part.ts";
import { payments } from "./payments/part.ts";
import { referral } from "./referral/part.ts";
import { savings } from "./savings/part.ts";
import { simulatedChain } from "./simulated-chain/part.ts";
import { spot } from "./spot/part.ts";
import { stops } from "./stops/part.ts";
import { subs } from "./subs/part.ts";
import { trading } from "./trading/part.ts";
import { wallet } from "./wallet/part.ts";

const LISTED = [
  listing, //
  wallet,
  accounts,
  trading,
  spot,
  maintenance,
  stops,
  amm,
  insurance,
  margin,
  futures,
  operators,
  payments,
  chains,
  simulatedChain,
  savings,
  subs,
  credit,
  referral,
  identity,
  cancelAfter,
  liabilities,
  marketMaker,
] as const;

export const PARTS: readonly Part[] = LISTED;

fillHooks(PARTS);

type KindsOf<One> = One extends Part<infer All> ? keyof All : never;
/** Commands that no listed part carries out: none, or this does not compile. */
type Missing = Exclude<JsonCommand["kind"], KindsOf<(typeof LISTED)[number]>>;
export type EveryCommandHasItsPart = Nothing<Missing>;
type Nothing<Left extends never> = Left;
