import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { xorshift } from "../support/xorshift.ts";
import { CHAIN, COIN, type PaymentWorld } from "./payment-worlds.ts";

export interface PaymentOptions {
  readonly data: string;
  readonly world: PaymentWorld;
  readonly rounds: number;
  readonly seed: number;
  readonly onRound?: (round: number, report: PaymentReport) => void;
}

export interface PaymentReport {
  /** Withdrawals that their users were told of. */
  readonly acknowledged: number;
  /** Requests whose answer a kill cut off. */
  readonly unanswered: number;
  /** Kills at a step of handing a transaction over; all others came at random times. */
  readonly atSteps: number;
  /** Payments that stand in the chain at the end. */
  readonly paid: number;
}

/** A venue is killed this long after withdrawals began, unless it reaches a planted step before. */
const KILL_AFTER_MS = { least: 50, most: 900 };
const STEP_WAIT_MS = 2_500;
/** Before the transaction at which the process dies, at most. */
const OTHERS_MAX = 15;
const BLOCK_MS = 80;
/** So many may be on their way at a time; a user has at most 100. */
const WAITING_MAX = 60;
const END_MS = 60_000;
const FEE = 0.001;

/** All that users know. */
interface Told {
  /** Amounts paid out by id. */
  readonly amounts: Map<number, string>;
  /** Amounts of requests that got no answer: they may have been taken, once, or not. */
  readonly perhaps: Set<string>;
  next: number;
}

/**
 * Lets a venue pay withdrawals while it is killed with SIGKILL again and again, at planted steps and at random times.
 * In the end the chain holds exactly one payment for every withdrawal that was acknowledged, and at most one for those
 * that were cut off. Throws at the first difference.
 */
export async function paymentRounds({ data, world, rounds, seed, onRound }: PaymentOptions): Promise<PaymentReport> {
  const random = xorshift(seed);
  const told: Told = { amounts: new Map(), perhaps: new Set(), next: 1 };
  let key: ApiKeyPair | undefined;
  let atSteps = 0;
  const figures = (paid = 0) => ({ acknowledged: told.amounts.size, unanswered: told.perhaps.size, atSteps, paid });
  for (let round = 1; round <= rounds; round++) {
    const venue = await start(data, world);
    try {
      key ??= await makeUser(venue, world);
      const step = world.at === undefined || random() < 0.4 ? undefined : random() < 0.5 ? "before" : "after";
      const killed = Promise.withResolvers<void>();
      if (step !== undefined) world.at?.(step, Math.floor(random() * OTHERS_MAX), killed.resolve);
      const load = withdrawUntilCut(venue.client(key), world, told);
      const blocks = mineUntil(venue, world, killed.promise);
      const afterMs = KILL_AFTER_MS.least + random() * (KILL_AFTER_MS.most - KILL_AFTER_MS.least);
      const late = pause(step === undefined ? afterMs : STEP_WAIT_MS).then(() => "late");
      if ((await Promise.race([killed.promise.then(() => "step"), late])) === "step") atSteps++;
      await venue.end("SIGKILL");
      killed.resolve();
      await Promise.all([load, blocks]);
    } finally {
      await venue.end("SIGKILL");
    }
    onRound?.(round, figures());
  }
  const last = await start(data, world);
  try {
    const paid = await settle(last, last.client(key), world, told);
    return figures(paid);
  } finally {
    await last.end("SIGTERM");
  }
}

function start(data: string, { options }: PaymentWorld): Promise<VenueProcess> {
  return VenueProcess.start(data, "--makers", "off", "--limits", "off", "--log-level", "warn", ...options);
}

/**
 * A currency that moves on the chain, a user who has it and may withdraw it to somebody outside, and a hot wallet that
 * can pay.
 */
async function makeUser(venue: VenueProcess, world: PaymentWorld): Promise<ApiKeyPair> {
  const chain = { chain: CHAIN, min_deposit_amount: "1", min_withdraw_amount: "0.01", withdrawal_fee: String(FEE) };
  const depths = {
    safe_confirmations: 2,
    irreversible_confirmations: 4,
    withdrawal_precision: 8,
    deposit_enabled: true,
    withdraw_enabled: true,
  };
  await venue.admin("/admin/assets", { ccy: COIN, scale: 10, chains: [{ ...chain, ...depths }] });
  const { user_id } = await venue.admin("/admin/users", { name: "payee" });
  await venue.admin("/admin/deposits", { user_id, ccy: COIN, amount: "4000", note: "to be withdrawn" });
  const permissions = ["read", "trade", "withdraw"];
  const { access_id, secret_key } = await venue.admin("/admin/api-keys", { user_id, permissions });
  const hot = await hotAddress(venue);
  await venue.admin("/admin/withdraw-addresses", { user_id, chain: CHAIN, address: world.outside });
  await world.fund(venue, hot);
  return { accessId: access_id, secret: secret_key };
}

async function hotAddress(venue: VenueProcess): Promise<string> {
  for (let waited = 0; waited < END_MS; waited += 50) {
    const { chains } = await venue.admin("/admin/chains");
    const own = chains.find((row: { chain: string }) => row.chain === CHAIN);
    if (own?.hot_address) return own.hot_address;
    await pause(50);
  }
  throw new Error("The chain was not opened.");
}

async function withdrawUntilCut(client: ApiClient, world: PaymentWorld, told: Told): Promise<void> {
  for (let count = 0; count < WAITING_MAX; count++) {
    // Every amount is another one, so that a payment names its withdrawal.
    const paid = (0.01 + told.next++ / 1e6).toFixed(8);
    const amount = (Number(paid) + FEE).toFixed(8);
    const body = { ccy: COIN, chain: CHAIN, to_address: world.outside, amount, withdraw_method: "on_chain" };
    try {
      const answer = await client.post("/v2/assets/withdraw", body);
      if (answer.code === 0) told.amounts.set(answer.data.withdraw_id, paid);
      else await pause(50);
    } catch {
      told.perhaps.add(paid);
      return;
    }
  }
}

async function mineUntil(venue: VenueProcess, world: PaymentWorld, end: Promise<void>): Promise<void> {
  const ended = end.then(() => true);
  while (!(await Promise.race([ended, pause(BLOCK_MS, false)]))) await world.mine(venue).catch(() => undefined);
}

/** Lets everything come to its end and compares; gives how many payments the chain holds. */
async function settle(venue: VenueProcess, client: ApiClient, world: PaymentWorld, told: Told): Promise<number> {
  const withdrawals = await ended(venue, client, world);
  for (let block = 0; block < 6; block++) await world.mine(venue);
  const paid = await world.paid(venue);
  if (new Set(paid).size !== paid.length) {
    throw new Error(`Paid twice: ${paid.filter((amount, at) => paid.indexOf(amount) !== at).join(", ")}.`);
  }
  const inChain = new Set(paid);
  const known = new Set<string>();
  for (const { withdraw_id, status, actual_amount } of withdrawals) {
    const amount = Number(actual_amount).toFixed(8);
    known.add(amount);
    if (status !== "finished") throw new Error(`Withdrawal ${withdraw_id} is ${status}.`);
    if (!inChain.has(amount)) throw new Error(`Withdrawal ${withdraw_id} of ${amount} is finished, and was not paid.`);
    const said = told.amounts.get(withdraw_id);
    if (said !== undefined && said !== amount) throw new Error(`Withdrawal ${withdraw_id} pays ${amount} for ${said}.`);
    if (said === undefined && !told.perhaps.has(amount)) throw new Error(`Nobody asked for withdrawal ${withdraw_id}.`);
  }
  for (const [withdrawId, amount] of told.amounts) {
    if (!known.has(amount)) throw new Error(`The acknowledged withdrawal ${withdrawId} of ${amount} is lost.`);
  }
  const unasked = paid.find((amount) => !known.has(amount));
  if (unasked !== undefined) throw new Error(`${unasked} was paid, and nobody withdrew it.`);
  const audit = await venue.admin("/admin/audit");
  if (!audit.ok) throw new Error(`Invariants are broken: ${audit.breaches.join(" ")}`);
  return paid.length;
}

interface WithdrawalRow {
  readonly withdraw_id: number;
  readonly status: string;
  readonly actual_amount: string;
}

/** All withdrawals, once none of them is on its way. */
async function ended(venue: VenueProcess, client: ApiClient, world: PaymentWorld): Promise<readonly WithdrawalRow[]> {
  const began = performance.now();
  for (;;) {
    await world.mine(venue);
    const rows: WithdrawalRow[] = [];
    for (let page = 1; ; page++) {
      const { data, pagination } = await client.get("/v2/assets/withdraw", { page, limit: 100 });
      rows.push(...data);
      if (pagination?.has_next !== true) break;
    }
    const open = rows.filter(({ status }) => !["finished", "failed", "cancelled"].includes(status));
    if (open.length === 0) return rows;
    if (performance.now() - began > END_MS) {
      const { chains } = await venue.admin("/admin/chains");
      const [first] = open;
      throw new Error(
        `${open.length} withdrawals do not end, such as ${JSON.stringify(first)}: ${JSON.stringify(chains)}`,
      );
    }
    await pause(BLOCK_MS);
  }
}
