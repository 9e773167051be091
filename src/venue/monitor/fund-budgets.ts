import type { Labels } from "../metrics.ts";
import type { Sample } from "./sample.ts";

/** The loss of an insurance fund in an hour or a day, and the loss that it may still have. */
export interface FundBudget {
  readonly labels: Labels;
  readonly lost: number;
  readonly left: number;
}

export function fundBudgets(sample: Sample): readonly FundBudget[] {
  const key = (labels: Labels) => JSON.stringify(labels);
  const left = new Map(
    sample.all("bourse_insurance_fund_budget_left").map(({ labels, value }) => [key(labels), value]),
  );
  return sample
    .all("bourse_insurance_fund_lost")
    .map(({ labels, value }) => ({ labels, lost: value, left: left.get(key(labels)) ?? 0 }));
}
