/** The tasks of the page, the most urgent first. */
import { changeFees, haltOrResume, MARKET } from "./market-tasks.tsx";
import { reviewActs, WITHDRAWAL } from "./money-tasks.tsx";
import type { Task } from "./task.ts";
import { credit, freezeOrFree, USER } from "./user-tasks.tsx";
import { ADD_OPERATOR, BACKUP, MAKE_BACKUP, PLAN_MAINTENANCE, verifyBackup } from "./venue-tasks.ts";

export const TASKS: readonly Task[] = [
  {
    word: "Halt or resume a market",
    says: "One market takes no new orders, or takes them again.",
    call: "POST /admin/markets",
    subject: MARKET,
    acts: (row) => [haltOrResume(row)],
  },
  {
    word: "Freeze or free a user",
    says: "The requests of a user are refused, or taken again.",
    call: "POST /admin/users/USER_ID",
    subject: USER,
    acts: (row) => [freezeOrFree(row)],
  },
  {
    word: "Review a withdrawal",
    says: "Let one that waits go out, or stop it.",
    call: "POST /admin/withdrawals/WITHDRAW_ID",
    subject: WITHDRAWAL,
    acts: reviewActs,
  },
  {
    word: "Explain an order",
    says: "Why it was not filled, or at this price, or refused.",
    call: "",
    area: "explain",
  },
  {
    word: "Credit a user",
    says: "Money that came in by another way than a chain.",
    call: "POST /admin/deposits",
    subject: USER,
    acts: (row) => [credit(row)],
  },
  {
    word: "Change fees",
    says: "What makers and takers pay in a market.",
    call: "POST /admin/markets",
    subject: MARKET,
    acts: (row) => [changeFees(row)],
  },
  {
    word: "Plan maintenance",
    says: "A window in which orders wait, that everybody sees beforehand.",
    call: "POST /admin/maintenance",
    acts: () => [PLAN_MAINTENANCE],
  },
  {
    word: "List a market",
    says: "Step by step, with what is required checked first.",
    call: "POST /admin/markets",
    area: "listing",
  },
  {
    word: "Add an operator",
    says: "Somebody who runs the venue, with a role and limits.",
    call: "POST /admin/operators",
    acts: () => [ADD_OPERATOR],
  },
  {
    word: "Create backup",
    says: "The whole venue in one file, while it runs.",
    call: "POST /admin/backups",
    acts: () => [MAKE_BACKUP],
  },
  {
    word: "Verify a backup",
    says: "Every byte of one against the hashes in it.",
    call: "POST /admin/backup-checks",
    subject: BACKUP,
    acts: (row) => [verifyBackup(row)],
  },
];
