import { credit as creditPlays } from "./adversary/credit/part.ts";
import { Capped } from "./adversary/laws/capped.ts";
import { Fund } from "./adversary/laws/fund.ts";
import { Gifts } from "./adversary/laws/gifts.ts";
import { Inventory } from "./adversary/laws/inventory.ts";
import { Levers } from "./adversary/laws/levers.ts";
import { Premiums } from "./adversary/laws/premiums.ts";
import { Treasury } from "./adversary/laws/treasury.ts";
import { Victims } from "./adversary/laws/victims.ts";
import { margin as marginPlays } from "./adversary/margin/part.ts";
import { opening as openingPlays } from "./adversary/opening/part.ts";
import { operators as operatorPlays } from "./adversary/operators/part.ts";
import type { PlayPart } from "./adversary/play-part.ts";
import { pools as poolPlays } from "./adversary/pools/part.ts";
import { referral as referralPlays } from "./adversary/referral/part.ts";
import { savings as savingsPlays } from "./adversary/savings/part.ts";
import { ambush } from "./adversary/strategies/ambush.ts";
import { bankruptClose } from "./adversary/strategies/bankrupt-close.ts";
import { cappedLeg } from "./adversary/strategies/capped-leg.ts";
import { carryOff } from "./adversary/strategies/carry-off.ts";
import { chaos } from "./adversary/strategies/chaos.ts";
import { deadline } from "./adversary/strategies/deadline.ts";
import { drift } from "./adversary/strategies/drift.ts";
import { dust } from "./adversary/strategies/dust.ts";
import { edges } from "./adversary/strategies/edges.ts";
import { flicker } from "./adversary/strategies/flicker.ts";
import { fright } from "./adversary/strategies/fright.ts";
import { fundingEdge } from "./adversary/strategies/funding-edge.ts";
import { hairTrigger } from "./adversary/strategies/hair-trigger.ts";
import { halfBlind } from "./adversary/strategies/half-blind.ts";
import { holdAuction } from "./adversary/strategies/hold-auction.ts";
import { icebergs } from "./adversary/strategies/icebergs.ts";
import { lastMark } from "./adversary/strategies/last-mark.ts";
import { letGo } from "./adversary/strategies/let-go.ts";
import { pulledQuotes } from "./adversary/strategies/pulled-quotes.ts";
import { queueJump } from "./adversary/strategies/queue-jump.ts";
import { severed } from "./adversary/strategies/severed.ts";
import { shuffle } from "./adversary/strategies/shuffle.ts";
import { silentIndex } from "./adversary/strategies/silent-index.ts";
import { straddle } from "./adversary/strategies/straddle.ts";
import { surety } from "./adversary/strategies/surety.ts";
import { swarm } from "./adversary/strategies/swarm.ts";
import { sweep } from "./adversary/strategies/sweep.ts";
import { thinBook } from "./adversary/strategies/thin-book.ts";
import { trap } from "./adversary/strategies/trap.ts";
import { washDeduction } from "./adversary/strategies/wash-deduction.ts";
import { whale } from "./adversary/strategies/whale.ts";
import { subs as subPlays } from "./adversary/subs/part.ts";
import { wallet as walletPlays } from "./adversary/wallet/part.ts";
import { accounts } from "./spot/accounts/part.ts";
import { auctions } from "./spot/auctions/part.ts";
import { cancelAfter } from "./spot/cancel-after/part.ts";
import { chains } from "./spot/chains/part.ts";
import { conditional } from "./spot/conditional/part.ts";
import { credit } from "./spot/credit/part.ts";
import { liabilities } from "./spot/liabilities/part.ts";
import { listing } from "./spot/listing/part.ts";
import { maintenance } from "./spot/maintenance/part.ts";
import { margin } from "./spot/margin/part.ts";
import { orders } from "./spot/orders/part.ts";
import type { SpotPart } from "./spot/part.ts";
import { payments } from "./spot/payments/part.ts";
import { pools } from "./spot/pools/part.ts";
import { referral } from "./spot/referral/part.ts";
import { savings } from "./spot/savings/part.ts";
import { stops } from "./spot/stops/part.ts";
import { subs } from "./spot/subs/part.ts";

/** What the world of spot is made of, in the order in which it is set up and in which what is due happens. */
export const SPOT_PARTS: readonly SpotPart[] = [
  maintenance,
  listing,
  auctions,
  accounts,
  subs,
  orders,
  stops,
  savings,
  credit,
  pools,
  payments,
  chains,
  margin,
  referral,
  cancelAfter,
  liabilities,
  conditional,
];

/** What an adversary can play with, product by product, and the laws that no play may break. */
export const PLAY_PARTS: readonly PlayPart[] = [
  { name: "spot", strategies: [washDeduction, sweep, fright, holdAuction], laws: [] },
  {
    name: "futures",
    strategies: [
      thinBook,
      letGo,
      silentIndex,
      bankruptClose,
      fundingEdge,
      shuffle,
      carryOff,
      queueJump,
      halfBlind,
      straddle,
      lastMark,
      flicker,
      pulledQuotes,
      icebergs,
      hairTrigger,
      whale,
      drift,
      cappedLeg,
      swarm,
      trap,
      surety,
    ],
    laws: [
      (court) => new Victims(court),
      (court) => new Fund(court),
      (court) => new Premiums(court),
      (court) => new Inventory(court),
      (court) => new Capped(court),
    ],
  },
  marginPlays,
  poolPlays,
  creditPlays,
  walletPlays,
  referralPlays,
  savingsPlays,
  subPlays,
  operatorPlays,
  openingPlays,
  {
    name: "everything",
    strategies: [dust, chaos, ambush, edges, deadline, severed],
    laws: [(court) => new Levers(court), (court) => new Gifts(court), (court) => new Treasury(court)],
  },
];
