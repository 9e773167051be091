/**
 * When an operator should look: the rules of deploy/prometheus/alerts.yml that can be told from the figures of this
 * process, under the same names. A test holds both against each other.
 */
import type { Labels } from "../metrics.ts";
import { fundBudgets } from "./fund-budgets.ts";
import type { Sample } from "./sample.ts";

/** `page` wakes somebody, `ticket` is looked at in the morning. */
export type Severity = "page" | "ticket";

/** A finding of a rule, once for each set of labels. */
export interface Finding {
  readonly labels: Labels;
  readonly summary: string;
}

export interface AlertRule {
  readonly name: string;
  readonly severity: Severity;
  /** It must be so for this long, ms. */
  readonly forMs: number;
  /** The steps that the operator should take. */
  readonly action: string;
  find(sample: Sample): readonly Finding[];
}

const MINUTE_MS = 60_000;
/** One that was reviewed for long before it might be paid is paid within the quarter of an hour of the alert. */
const UNPAID_S = 3_600;
const STUCK_S = 3;
const STORE_BYTES = 1.5e9;
/** Three quarters of the quota in deploy/etcd. */
const STORE_FILE_BYTES = 3e9;
/** Four spans of the archive. */
const ARCHIVE_MISSING = 262_144;
const BACKLOG_BYTES = 64 * 1024 * 1024;

export const ALERT_RULES: readonly AlertRule[] = [
  {
    ...rule("BourseInvariantBroken", "page", 0, "Run bourse audit on a backup before anything is lifted."),
    find: where(
      "bourse_invariant_breaches",
      above(0),
      () => "An invariant of the state is broken; the venue takes only cancels.",
    ),
  },
  {
    ...rule("BourseCancelOnly", "page", MINUTE_MS, "The audit trail says who did that and why."),
    find: where("bourse_cancel_only", above(0), () => "The venue takes only cancels."),
  },
  {
    ...rule(
      "BourseIndexStale",
      "page",
      MINUTE_MS / 2,
      "Look at the feed of index prices; two updates 5 s apart bring it back.",
    ),
    find: where(
      "bourse_index_stale",
      above(0),
      ({ market, market_type }) =>
        `The index of ${market} (${market_type?.toLowerCase()}) is stale: nothing is liquidated there, no ` +
        "futures position grows.",
    ),
  },
  {
    ...rule("BourseInsuranceFundEmpty", "page", MINUTE_MS, "Fund sys:ins_futures with a deposit."),
    find: where(
      "bourse_insurance_fund",
      (value) => value <= 0,
      ({ ccy }) => `The insurance fund in ${ccy} is empty; bankrupt positions are closed against profitable ones.`,
    ),
  },
  {
    ...rule("BourseFundBudgetUsed", "page", 0, "Look at the index and its sources before the budget is raised."),
    find: (sample) => budgets(sample, (left) => left === 0, "All that"),
  },
  {
    ...rule("BourseFundBudgetHalfUsed", "ticket", 0, "Look at the index, liquidations and their counterparties."),
    find: (sample) => budgets(sample, (left, lost) => left > 0 && lost > left, "More than half of what"),
  },
  {
    ...rule("BourseMarginFundEmpty", "ticket", 5 * MINUTE_MS, "Fund sys:ins_margin with a deposit."),
    find: where(
      "bourse_margin_insurance_fund",
      (value) => value <= 0,
      ({ ccy }) =>
        `The margin insurance fund in ${ccy} is empty; what liquidations leave unpaid is missing in the lending pool.`,
    ),
  },
  {
    ...rule(
      "BourseMarginDebt",
      "page",
      MINUTE_MS,
      "Look at the loans with the status debt; money in sys:ins_margin pays the oldest first.",
    ),
    find: where(
      "bourse_margin_debt",
      above(0),
      ({ ccy }, value) => `${value} ${ccy} of margin loans are neither paid nor covered by the margin insurance fund.`,
    ),
  },
  {
    ...rule("BourseCustodyMissing", "page", 10 * MINUTE_MS, "Halt withdrawals, then compare what each place holds."),
    find: where(
      "bourse_chain_missing",
      above(0),
      ({ ccy }, value) => `The ledger has ${value} ${ccy} more than chains and other places hold.`,
    ),
  },
  {
    ...rule("BourseDiskLow", "page", 0, "Make room or enlarge the disk; the venue takes orders again by itself."),
    find: where(
      "bourse_disk_level",
      above(0),
      (_, value) => `The disk is short of room; the venue takes ${value > 1 ? "nothing" : "only cancels"}.`,
    ),
  },
  {
    ...rule("BourseViewBehind", "ticket", 5 * MINUTE_MS, "The structured log says why. Both catch up by themselves."),
    find: (sample) => [
      ...where(
        "bourse_audit_trail_behind",
        above(0),
        () => "The audit trail cannot be written; trading goes on.",
      )(sample),
      // One alert: history that cannot be written goes to and fro between the two.
      ...(["away", "catching_up"].some((standing) => sample.sum("bourse_history_standing", { standing }) > 0)
        ? [
            {
              labels: { view: "history" },
              summary: "History cannot be written; questions about the past are refused, trading goes on.",
            },
          ]
        : []),
    ],
  },
  {
    ...rule("BourseWithdrawalsHalted", "page", 0, "Find what is missing before withdrawals are resumed."),
    find: where(
      "bourse_withdrawals_halted",
      above(0),
      () => "Withdrawals over chains are halted, because custody is short or because an operator wants it.",
    ),
  },
  {
    ...rule("BourseChainTrouble", "page", 10 * MINUTE_MS, "The page of the chains says what is wrong."),
    find: where(
      "bourse_chain_trouble",
      above(0),
      ({ chain }) => `The chain ${chain} cannot be used, or its hot wallet is empty; deposits or withdrawals wait.`,
    ),
  },
  {
    ...rule(
      "BourseWithdrawalsUnpaid",
      "page",
      15 * MINUTE_MS,
      "The page of the chains says what they wait for; where it says nothing, restart the venue and look at its log.",
    ),
    find: where(
      "bourse_withdrawal_unpaid_seconds",
      above(UNPAID_S),
      ({ chain }, value) =>
        `The oldest withdrawal over ${chain} that may be paid has waited for ${Math.round(value)} s.`,
    ),
  },
  {
    ...rule(
      "BourseFailures",
      "page",
      0,
      "The structured log has the cause under the reference that clients were given.",
    ),
    find: (sample) =>
      sample.rate("bourse_http_seconds_count", { outcome: "failed" }) > 0
        ? [{ labels: {}, summary: "Requests fail inside the venue." }]
        : [],
  },
  {
    ...rule("BourseSlow", "ticket", 5 * MINUTE_MS, "Look at the commit time and the delay of the event loop."),
    find: slow("bourse_http_seconds", 0.5, "One answer in a hundred takes more than half a second."),
  },
  {
    ...rule("BourseDiskSlow", "ticket", 5 * MINUTE_MS, "Look at the disk of the data directory."),
    find: slow("bourse_commit_seconds", 0.1, "One commit in a hundred takes more than 100 ms."),
  },
  {
    ...rule("BourseEventLoopLate", "ticket", 5 * MINUTE_MS, "Look at what else runs on the machine."),
    find: (sample) =>
      sample.sum("bourse_event_loop_delay_seconds", { quantile: "0.99" }) > 0.2
        ? [{ labels: {}, summary: "The event loop is more than 200 ms late." }]
        : [],
  },
  {
    ...rule("BourseHistoryBehind", "ticket", 5 * MINUTE_MS, "Look at the disk or the database of the history."),
    find: where(
      "bourse_history_backlog_bytes",
      above(BACKLOG_BYTES),
      () => "History is behind; the venue turns orders away when it is 256 MiB behind.",
    ),
  },
  {
    ...rule(
      "BourseNodeStuck",
      "page",
      10_000,
      "Look whether more than half of the etcd servers answer, and at bourse cluster status.",
    ),
    find: (sample) =>
      Math.max(sample.sum("bourse_cluster_waiting_seconds"), sample.sum("bourse_cluster_silent_seconds")) > STUCK_S
        ? [{ labels: {}, summary: "Nothing comes into the log through this node; it refuses what it is asked for." }]
        : [],
  },
  {
    ...rule("BourseEtcdServerDown", "ticket", MINUTE_MS, "Start it again, or replace it."),
    find: where(
      "bourse_cluster_server_up",
      (value) => value === 0,
      ({ server }) => `The etcd server ${server} does not answer this node; when half of them fail the venue stops.`,
    ),
  },
  {
    ...rule(
      "BourseEtcdFileLarge",
      "ticket",
      10 * MINUTE_MS,
      "Run etcdctl defrag for one server after the other, and compare the quota (--quota-backend-bytes).",
    ),
    find: where(
      "bourse_cluster_server_file_bytes",
      above(STORE_FILE_BYTES),
      ({ server }) =>
        `The file of the etcd server ${server} comes near its quota; at the quota nothing is taken any more.`,
    ),
  },
  {
    ...rule(
      "BourseEtcdFull",
      "page",
      0,
      "Look why groups do not leave etcd; make room or raise the quota, then etcdctl alarm disarm.",
    ),
    find: (sample) =>
      sample.sum("bourse_cluster_alarms") > 0 || sample.sum("bourse_cluster_store_bytes") > STORE_BYTES
        ? [
            {
              labels: {},
              summary: "etcd is short of room or has raised an alarm; the venue takes only cancels, or nothing.",
            },
          ]
        : [],
  },
  {
    ...rule(
      "BourseArchiveStuck",
      "ticket",
      10 * MINUTE_MS,
      "Look at the folder that log-archive names: whether it is mounted, has room, and this node may write there.",
    ),
    find: where(
      "bourse_cluster_archive_missing_commands",
      above(ARCHIVE_MISSING),
      () => "Log that is complete does not come into the shared archive.",
    ),
  },
  {
    ...rule("BourseQuotasApart", "ticket", MINUTE_MS, "Look at the server that the setting quotas names."),
    find: where(
      "bourse_quotas_shared",
      (value) => value === 0,
      () => "This node does not share quotas any more; it allows its part of them, and clients are refused earlier.",
    ),
  },
];

function rule(name: string, severity: Severity, forMs: number, action: string): Omit<AlertRule, "find"> {
  return { name, severity, forMs, action };
}

function above(bound: number): (value: number) => boolean {
  return (value) => value > bound;
}

/** Every value of a gauge that is so. */
function where(
  figure: string,
  isSo: (value: number) => boolean,
  words: (labels: Labels, value: number) => string,
): AlertRule["find"] {
  return (sample) =>
    sample.all(figure).flatMap(({ labels, value }) => (isSo(value) ? [{ labels, summary: words(labels, value) }] : []));
}

function slow(histogram: string, bound: number, summary: string): AlertRule["find"] {
  return (sample) => (sample.quantile(histogram, 0.99) > bound ? [{ labels: {}, summary }] : []);
}

function budgets(sample: Sample, isSo: (left: number, lost: number) => boolean, words: string): readonly Finding[] {
  return fundBudgets(sample).flatMap(({ labels, lost, left }) => {
    if (lost <= 0 || !isSo(left, lost)) return [];
    const where = labels["market"] === "" ? "" : ` in ${labels["market"]}`;
    const summary =
      `${words} the insurance fund of ${labels["fund"]} in ${labels["ccy"]} may lose${where} per ${labels["per"]} ` +
      "is lost.";
    return [{ labels, summary }];
  });
}
