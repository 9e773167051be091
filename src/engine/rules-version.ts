/**
 * Raised whenever the same commands would come to something else: another outcome, another event, another state, or a
 * command that was unknown before. The log says from which command on which rules hold (`begin_epoch`); a log that says
 * nothing was made under version 1. What an older version did stays behind its number, `state.rulesVersion`, so that
 * yesterday's commands come to what they came to yesterday; `test/golden` holds the program to that.
 */
export const RULES_VERSION = 5;

/**
 * The oldest rules that are still in this program. Commands made under older ones are sealed: only their chain can be
 * verified.
 */
export const OLDEST_RULES_VERSION = 1;

/** The release that has each version of the rules, the newest of those that do. */
export const RELEASE_OF_RULES: Readonly<Record<number, string>> = {
  1: "0.1.0",
  2: "0.2.0",
  3: "0.3.0",
  4: "0.4.0",
  5: "0.5.0",
};

/** The rules that an older version did not have, each with the version that brought it. */
const SINCE = {
  /** 4.11: what a side of the book lacks to the quantity of an impact price counts at the index. */
  depthAtIndex: 2,
  /** 4.11 and 4.12: a mean of premiums is over the minutes of its time, sampled or not. */
  meansOverMinutes: 2,
  /** 4.11: the mark stays within a band around the index. */
  boundedMark: 2,
  /** 4.11: no deal stands in for an index without sources, and what depends on it waits until it is back. */
  staleIndexWaits: 2,
  /** 4.14 and 4.15: only a jump of the index costs the insurance fund, within a budget. */
  guardedFund: 2,
  /** 2.6: the deduction currency is valued by its index. */
  deductionByIndex: 2,
  /** 2.9: prices of spot orders are held to the index. */
  bandsByIndex: 2,
  /** 2.9: a market whose price leaves its reference is interrupted. */
  interruptions: 2,
  /** 2.9: a silent index goes on holding prices of spot orders. */
  silentBands: 3,
  /**
   * 2.9 and 2.12: the index is the reference of an interruption, which opens near it, and is not called again and
   * again.
   */
  anchoredInterruptions: 3,
  /** 2.9 and 4.10: triggers by the latest price, and what they fire, are held to the mark. */
  heldTriggers: 3,
  /** 6.1: an adjustment takes no more out of the venue than it holds. */
  adjustWithinCustody: 3,
  /** 6.6: operators may fund the cell that interest is paid from. */
  interestFunded: 3,
  /** 6.3: API keys have numbers. */
  numberedKeys: 3,
  /** 4.17: a market that leaves closes positions at a mark that is not old. */
  delistingWaits: 3,
  /** 6.6: operators may fund the cell that credit is granted from. */
  creditFunded: 3,
  /** 6.8: people sign in, with sessions. */
  identities: 4,
  /** 3.5: who owes what a margin liquidation left unpaid withdraws nothing. */
  debtBarsWithdrawal: 4,
  /** 3.5: the margin fund takes of an account only for what it pays, and pays a debt to its end before the next. */
  fundPaysInOrder: 4,
  /** 3.5: a debt of a market that has left can be paid, and what its account holds goes to spot then. */
  leftDebtsPaid: 4,
  /** 5.4: nothing is added to a pool whose price lies far from the index of its market. */
  additionsByIndex: 4,
  /** 3.3: a margin market keeps a source of its index; while it has none, it stays as long as a loan runs. */
  marginKeepsIndex: 4,
  /** 4.17: who is bankrupt when a market leaves that nobody could be liquidated in is taken over before. */
  bankruptTakenOver: 4,
  /** 3.5: an account that a liquidation has left alone is watched again at once. */
  sparedIsWatched: 4,
  /**
   * 4.17 and 3.3: a market that stayed for a position or a loan leaves with the last of them, whatever command ends it.
   */
  leavesWithLast: 4,
  /** 7.3: operators enrol themselves, and what takes two people is decided by the engine. */
  authority: 5,
  /**
   * 3.5: a margin account is never sold at a price that somebody else pays for; the fund takes over at the index,
   * within its budget.
   */
  soldAtIndex: 5,
  /** 4.14: the ladder ends at the first mark that reaches the price at which the venue's position came in. */
  laddersEndAtCost: 5,
  /** 2.9 and 3.5: an interruption holds margin liquidations up for one auction, and once an hour. */
  interruptionsHoldOnce: 5,
  /** 2.12: where a market may be interrupted, every auction opens near its index. */
  openingsByIndex: 5,
  /** 4.12: an isolated position that cannot pay its funding is taken over. */
  cappedTakenOver: 5,
  /** 4.12 and 4.14: the insurance fund pays funding for what the venue has taken over within its budget. */
  fundingWithinBudget: 5,
  /** 6.7: rebates are a share of what reached the fee cell, not of what went to providers of a pool. */
  rebatesOnFeesKept: 5,
  /** 5.4: an addition to a pool loses at most a thousandth should the pool come back to the index of its market. */
  additionsByLoss: 5,
  /** 5.4: an addition of which one side alone has a price is worth twice that side. */
  additionsByOneSide: 5,
  /**
   * 6.6: orders of who owes are checked by their result, and resting ones when they are met; leverage backs no credit.
   */
  ordersByResult: 5,
  /** 6.6: who may trade no more with a credit may still reduce what he has at risk. */
  reducingGoesOn: 5,
  /** 6.3: levels, loans, debts and bounds of operators count the accounts of a family together. */
  familyCounts: 5,
  /** 6.3: an operator who freezes or bars a main account freezes or bars its sub-accounts. */
  freezeHoldsFamily: 5,
  /** 7: what a chain could still take back, or its worth, stays with its user. */
  reversibleStays: 5,
  /** 7: a deposit that is nobody's waits for an operator, also when its chain shows it again. */
  nobodysDepositWaits: 5,
  /** 7.2: the conditions of a withdrawal hold when it is let go out and when it is begun. */
  withdrawalsCheckedAgain: 5,
  /** 4.11: prices of the book count what has rested at risk, and the sample of a minute is the mean over its ticks. */
  timeAtRisk: 5,
  /** 4.11: while the index under a cross position is stale, the money of its account goes nowhere else. */
  silenceHoldsAccount: 5,
  /** 2.16: timers cancel the open orders of a user who does not set them anew. */
  cancelAfter: 5,
  /** 2.17: the end of a connection cancels the open orders of its user. */
  connectionsWatched: 5,
  /** 6.9: what the venue owes its users is counted, and the roots of the count are published. */
  liabilities: 5,
  /** 2.18: fills of a user's quotes are counted, and at a limit his quotes of the market are pulled. */
  makerProtection: 5,
  /** 2.19: a user replaces his quotes of many markets by one command. */
  massQuotes: 5,
  /** 7: chains that an asset is listed with are checked as those that it is given later. */
  listedChainsChecked: 5,
  /** 2.20: triggers that follow the price, and orders of which one ends others. */
  conditionalOrders: 5,
  /** 2.21: the book shows a slice of an order at a time. */
  icebergs: 5,
} as const;

export type Rule = keyof typeof SINCE;

/** All of them, in the order in which they came. */
export const RULES = Object.keys(SINCE) as readonly Rule[];

/** Whether a rule holds in the state's version. */
export function holds({ rulesVersion }: { readonly rulesVersion: number }, rule: Rule): boolean {
  return rulesVersion >= SINCE[rule];
}
