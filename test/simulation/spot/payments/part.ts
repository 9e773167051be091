import type { Command } from "../../../../src/engine/command.ts";
import { cellKey, VENUE } from "../../../../src/engine/ledger/cell.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import { PAYMENT_CELL } from "../../../../src/engine/payments/codes.ts";
import { debtOf } from "../../../../src/engine/payments/deposit-debt.ts";
import { payments as ofEngine } from "../../../../src/engine/payments/payments.ts";
import type { Draw } from "../draw.ts";
import { ASSETS } from "../markets.ts";
import type { SpotPart } from "../part.ts";
import type { Settings } from "../settings.ts";
import type { Step } from "../step.ts";
import {
  allow,
  assign,
  CHAIN,
  cancel,
  confirm,
  DEFLATION,
  feeText,
  giveBack,
  head,
  IRREVERSIBLE,
  kept,
  lose,
  passTime,
  resolve,
  review,
  SAFE,
  see,
  setLimit,
  smallest,
  start,
  step,
  withdraw,
} from "./model.ts";

/** Money over a chain and between users, with a chain that takes back and comes again. Domain 7. */
export const payments: SpotPart = {
  name: "payments",
  setup,
  actions: {
    chain_head: {
      often: { usual: [0, 4, 10] },
      make: (draw) => ({ command: { kind: "chain_head", chain: CHAIN, height: heightNear(draw) } }),
    },
    deposit_seen: {
      often: { usual: [0, 4, 10] },
      make: (draw) => ({
        command: {
          kind: "deposit_seen",
          ...placeOf(draw),
          memo: "",
          ccy: draw.random.chance(97) ? "USDT" : draw.random.pick([...ASSETS, "NONE"]),
          amount: amountOf(draw),
          height: draw.random.chance(10) ? 0 : heightNear(draw),
        },
      }),
    },
    deposit_gone: {
      often: { usual: [0, 1, 4] },
      make: (draw) => {
        const command: Command = { kind: "deposit_gone", ...placeOf(draw) };
        return draw.random.chance(50) ? { command } : { command, pick: draw.random.whole(0, 9_999) };
      },
    },
    assign_address: {
      often: { usual: [0, 1] },
      make: (draw) => {
        const userId = draw.userId();
        const renewals = draw.random.pick([0, 1, 1, 2, 3]);
        const address = `a${userId}-${renewals}`;
        return { command: { kind: "assign_address", userId, chain: CHAIN, renewals, address, memo: "" } };
      },
    },
    withdraw: {
      often: { usual: [0, 4, 10], margin: [15] },
      make: (draw) => ({ command: asked(draw), pick: draw.random.whole(0, 9_999) }),
    },
    withdrawal_step: { often: { usual: [0, 8, 20] }, make: onItsWay },
    withdraw_limit: {
      often: { usual: [0, 1, 4] },
      make: (draw) => ({
        command: {
          kind: "set_withdraw_limit",
          userId: draw.random.pick([undefined, undefined, draw.userId(), 99]),
          ccy: draw.random.pick([...ASSETS, "NONE"]),
          amount: draw.random.pick([null, amountOf(draw), amountOf(draw), amountOf(draw), "x"]),
        },
      }),
    },
    resolve_deposit: {
      often: { usual: [0, 1] },
      make: (draw) => ({
        command: {
          kind: "resolve_deposit",
          depositId: draw.random.whole(0, 40),
          assignTo: draw.random.pick([undefined, draw.userId(), draw.userId(), 99]),
          cancel: draw.random.pick([undefined, undefined, undefined, true]),
          note: draw.random.pick(["why", "why", ""]),
        },
        pick: draw.random.whole(0, 9_999),
      }),
    },
  },
  ofUsers: {
    assign_address: assign,
    withdraw,
    cancel_withdrawal: cancel,
  },
  ofVenue: {
    // As at the setup.
    set_asset_chain: () => undefined,
    allow_withdraw_address: allow,
    set_withdraw_limit: setLimit,
    chain_head: head,
    deposit_seen: see,
    deposit_gone: lose,
    resolve_deposit: resolve,
    review_withdrawal: review,
    withdrawal_started: step(["audited"], start),
    withdrawal_broadcast: step(["processing", "confirming", "cancellation_failed"], (_venue, one) => {
      if (one.status === "processing") one.status = "confirming";
      return undefined;
    }),
    withdrawal_mined: step(
      ["processing", "confirming", "cancellation_failed", "finished"],
      (venue, one, { height = 0 }) => {
        if (height <= 0) return "invalid_command";
        if (one.status === "processing") one.status = "confirming";
        one.height = height;
        confirm(venue, one);
        return undefined;
      },
    ),
    withdrawal_gone: step(["confirming", "cancellation_failed", "finished"], (_venue, one) => {
      one.height = 0;
      return undefined;
    }),
    withdrawal_unstoppable: step(["processing", "confirming"], (_venue, one) => {
      if (!one.stopped) return "withdrawal_status";
      one.status = "cancellation_failed";
      return undefined;
    }),
    withdrawal_failed: step(["processing", "confirming", "cancellation_failed"], (venue, one) => {
      giveBack(venue, one);
      return undefined;
    }),
  },
  before: passTime,
  compare: (state, model, differ) => {
    const own = kept(model);
    const { deposits, withdrawals } = ofEngine.of(state);
    differ("deposits", deposits.size, own.deposits.length);
    for (const { id, status, userId, height, settled } of own.deposits) {
      const ours = deposits.get(id);
      differ(`deposit ${id}`, ours?.status, status);
      differ(`owner of deposit ${id}`, ours?.userId, userId);
      differ(`height of deposit ${id}`, ours?.height, height);
      differ(`whether deposit ${id} is settled`, ours?.settled, settled);
    }
    differ("withdrawals", withdrawals.size, own.withdrawals.length);
    for (const { id, status, fee } of own.withdrawals) {
      differ(`withdrawal ${id}`, withdrawals.get(id)?.status, status);
      differ(`fee of withdrawal ${id}`, withdrawals.get(id)?.fee, fee);
    }
    for (const { userId, asset, units } of own.debts.values()) {
      differ(`debt of user ${userId} in ${asset.ccy}`, debtOf(state, userId, asset.id), units);
    }
    for (const { id, ccy } of model.assets) {
      const cell = state.ledger.find(cellKey(PAYMENT_CELL.own_purse, VENUE, id));
      differ(`funds in ${ccy}`, cell < 0 ? 0n : state.ledger.available(cell), own.funds[id] ?? 0n);
    }
  },
  faults: [
    {
      name: "what a deposit was exchanged for leaves before it is settled",
      file: "payments/reversible.ts",
      code: "return rest < exchanged ?",
      instead: "return rest < 0n ?",
    },
    {
      name: "an order gives away what a deposit was exchanged for",
      file: "payments/reversible.ts",
      code: "exchanged === undefined || rest * 100n < exchanged * TRADED_PERCENT",
      instead: "exchanged !== undefined && rest < 0n",
    },
    {
      name: "a payment that is seen again is another deposit",
      file: "payments/see-deposit.ts",
      code: "if (known !== undefined) {",
      instead: "if (known !== undefined && known.height === height) {",
    },
    {
      name: "a deposit is credited before its confirmations",
      from: 10,
      file: "payments/confirm-deposit.ts",
      code: "confirmations >= terms.safe) creditInTime",
      instead: "confirmations >= 1) creditInTime",
    },
    {
      name: "what a transfer loses is rounded in the user's favour",
      file: "payments/see-deposit.ts",
      code: "actualAmount: divFloor(",
      instead: "actualAmount: 1n + divFloor(",
    },
    {
      name: "what its chain could take back is withdrawn",
      from: 36,
      file: "payments/withdraw.ts",
      code: "- reversibleOf(state, userId, asset.id);",
      instead: "- 0n * reversibleOf(state, userId, asset.id);",
    },
    {
      name: "a withdrawal is paid out again at the next block",
      file: "payments/pay.ts",
      code: "if (isOpen(one) && withdrawalConfirmations(state, one) >= safe) finish(state, one);",
      instead: "if (withdrawalConfirmations(state, one) >= safe) finish(state, one);",
    },
    {
      name: "a fee in another currency is rounded in the user's favour",
      file: "payments/withdraw.ts",
      code: "divCeil(fee * price.numerator * pow10(feeAsset.scale), price.denominator * pow10(asset.scale))",
      instead: "(fee * price.numerator * pow10(feeAsset.scale)) / (price.denominator * pow10(asset.scale))",
    },
    {
      name: "a withdrawal that is on its way is cancelled",
      file: "payments/withdraw.ts",
      code: "if (!isWaiting(one)) return",
      instead: "if (!isWaiting(one) && one.height > 0) return",
    },
    {
      name: "what was withdrawn today does not count to the limit of the day",
      from: 20,
      file: "payments/withdraw-limit.ts",
      code: "const left = limit - spentToday(state, userId, ccy);",
      instead: "const left = limit - 0n * spentToday(state, userId, ccy);",
    },
    {
      name: "a withdrawal that comes back goes on counting to the limit of its day",
      file: "payments/withdrawal.ts",
      code: "countWithdrawn(state, one.userId, (state.assets[one.assetId] as Asset).ccy, -one.amount, one.createdAt);",
      instead: "",
    },
    {
      name: "a user's own limit does not come before that of all",
      file: "payments/withdraw-limit.ts",
      code: "limitsOf.get(userId)?.get(ccy) ?? limits.get(ccy)",
      instead: "limits.get(ccy) ?? limitsOf.get(userId)?.get(ccy)",
    },
    {
      name: "who owes a deposit that was taken back goes on withdrawing",
      from: 104,
      file: "payments/deposit-debt.ts",
      code: "if (debtor.userId === userId) return true;",
      instead: "if (debtor.userId < 0 * userId) return true;",
    },
    {
      name: "a snapshot forgets which deposits their chain could take back",
      from: 15,
      file: "payments/payments-section.ts",
      code: 'if (deposit.status === "finished" && !deposit.settled) countReversible',
      instead: "if (deposit.amount < 0n) countReversible",
    },
  ],
};

/** Blocks pass as the run goes on; some notices are behind, some ahead. */
function heightNear({ random, progress }: Draw): number {
  return 10 + Math.floor(progress * 80) + random.whole(-3, 2);
}

function placeOf(draw: Draw) {
  const { random, progress } = draw;
  return {
    chain: CHAIN,
    txId: `t${Math.floor(progress * 60) + random.whole(0, 3)}`,
    output: random.pick([0, 0, 0, 1]),
    toAddress: random.chance(95) ? `a${draw.userId()}-${random.pick([0, 0, 0, 1])}` : "elsewhere",
  };
}

function amountOf({ random, settings }: Draw): string {
  const few = formatDecimal(settings.funds / random.pick([3n, 10n, 10n, 100n]), settings.scale);
  return random.pick([few, few, few, few, "0.0100001", "1", "0.01", "0", "9223372036854775807", "x"]);
}

function asked(draw: Draw): Command {
  const { random, settings } = draw;
  const method = random.pick(["on_chain", "on_chain", "on_chain", "inter_user"]);
  const isOnChain = method === "on_chain";
  const whole = formatDecimal(settings.funds / random.pick([5n, 50n]), settings.scale).replace(/\.(\d{0,4}).*$/, ".$1");
  return {
    kind: "withdraw",
    userId: draw.userId(),
    ccy: random.chance(95) ? random.pick(["USDT", "USDT", ...ASSETS]) : "NONE",
    method,
    chain: isOnChain ? CHAIN : "",
    toAddress: isOnChain ? random.pick(["x", "x", "x", "x", "y", "a1-0"]) : random.pick(["1", "1", "2", "99"]),
    memo: "",
    amount: random.chance(80) && !whole.endsWith(".") ? whole : amountOf(draw),
    feeCcy: random.pick([undefined, undefined, "USDT", "BTC", "NONE"]),
    remark: "",
    needsReview: random.chance(25),
  };
}

/** What becomes of one that is under way. */
function onItsWay(draw: Draw): Omit<Step, "waitMs"> {
  const { random } = draw;
  const withdrawId = random.whole(0, 30);
  const step: Command = random.pick<Command>([
    { kind: "cancel_withdrawal", userId: draw.userId(), withdrawId },
    { kind: "review_withdrawal", withdrawId, approve: random.chance(70), note: random.pick(["why", "why", "why", ""]) },
    { kind: "withdrawal_started", withdrawId },
    { kind: "withdrawal_started", withdrawId },
    { kind: "withdrawal_broadcast", withdrawId, txId: "w" },
    { kind: "withdrawal_mined", withdrawId, txId: "w", height: heightNear(draw) },
    { kind: "withdrawal_mined", withdrawId, txId: "w", height: heightNear(draw) },
    { kind: "withdrawal_gone", withdrawId },
    { kind: "withdrawal_unstoppable", withdrawId },
    { kind: "withdrawal_failed", withdrawId, reason: "" },
  ]);
  return { command: step, pick: random.whole(0, 9_999) };
}

function setup({ scale, users }: Settings): Command[] {
  const commands: Command[] = ASSETS.map((ccy) => ({
    kind: "set_asset_chain",
    ccy,
    settings: {
      chain: CHAIN,
      minDepositAmount: smallest(scale),
      minWithdrawAmount: smallest(scale),
      depositEnabled: true,
      withdrawEnabled: true,
      depositDelayMinutes: 1,
      safeConfirmations: SAFE,
      irreversibleConfirmations: IRREVERSIBLE,
      deflationRate: DEFLATION,
      withdrawalFee: feeText(scale),
      withdrawalPrecision: 4,
      memo: "",
      isMemoRequiredForDeposit: false,
      explorerAssetUrl: "",
      identity: "",
    },
  }));
  for (let userId = 1; userId <= users; userId++) {
    commands.push({ kind: "assign_address", userId, chain: CHAIN, renewals: 0, address: `a${userId}-0`, memo: "" });
    for (const [chain, address] of [
      [CHAIN, "x"],
      ["", "1"],
    ] as const) {
      commands.push({ kind: "allow_withdraw_address", userId, chain, address, memo: "", remark: "" });
    }
  }
  return commands;
}
