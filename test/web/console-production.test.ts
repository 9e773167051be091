/**
 * A venue of the production profile in the hands of several operators, each before a browser of his own: two people let
 * the next one in, freeze a user, and let a withdrawal go. What they see is what the venue says.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { builtPages } from "../../scripts/built-pages.ts";
import type { ApiKeyPair } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { openBrowser } from "./browser.ts";
import { act, openArea } from "./console-stage.ts";
import { noBrowser } from "./terminal-stage.ts";

const skip = noBrowser();
const PATIENCE_MS = 120_000;

interface Desk {
  readonly page: Page;
  /** Opens a task and goes to its form. */
  begin(task: string, subject?: string | RegExp): Promise<ReturnType<Page["getByRole"]>>;
}

test("operators of a production venue enrol, consent to each other, freeze a user and review a withdrawal", {
  skip,
}, async (t) => {
  builtPages();
  const folder = mkdtempSync(join(tmpdir(), "bourse-production-"));
  const config = join(folder, "bourse.json");
  writeFileSync(
    config,
    JSON.stringify({
      ...{ profile: "production", "log-level": "warn", limits: "off" },
      ...{ "four-eyes": "USDT=1000", "withdraw-review": "USDT=100" },
    }),
  );
  const data = join(folder, "venue");
  const venue = await VenueProcess.start(data, "--config", config);
  const browser = await openBrowser();
  t.after(async () => {
    await browser.close();
    await venue.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const complaints: string[] = [];
  await venue.admin("/admin/assets", { ccy: "USDT", scale: 8 });
  const { user_id: carolId } = await venue.admin("/admin/users", { name: "carol" });
  await venue.admin("/admin/inter-transfers", { ccy: "USDT", enabled: true });
  const dave = await somebodyWithKey(venue, "dave");
  await venue.admin("/admin/withdraw-addresses", { user_id: "dave", address: String(carolId) });
  const root = await sitDown(browser, venue, complaints, readFileSync(join(data, "admin-token"), "utf8").trim());
  let ann!: Desk;
  let ben!: Desk;

  await t.test("root is offered no click to come in by, and lets the first administrator in alone", async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(venue.adminUrl);
    await stranger.getByLabel("Token").waitFor();
    assert.equal(await stranger.getByRole("button", { name: "Continue as root" }).count(), 0);
    await stranger.close();
    const form = await root.begin("Add an operator");
    await form.getByLabel("Name").fill("ann");
    await form.getByLabel("Role").selectOption("admin");
    await form.getByText("ann does everything, but does not consent to what he asked for himself.").waitFor();
    await form.getByRole("button", { name: "Add an operator" }).click();
    ann = await enrol(browser, venue, complaints, "ann", [await codeShown(root.page)]);
  });

  await t.test("from then on a second operator needs two, and enrols with the codes of both", async () => {
    await root.page.reload();
    const form = await root.begin("Add an operator");
    await form.getByLabel("Name").fill("ben");
    await form.getByLabel("Role").selectOption("admin");
    await form.getByText("It waits under Approvals until a second operator consents.").waitFor();
    await form.getByRole("button", { name: "Add an operator" }).click();
    const first = await codeShown(root.page);
    await openArea(ann.page, "Approvals");
    await ann.page.getByRole("cell", { name: "create operator" }).click();
    await act(ann.page, "Consent", (form) => form.getByLabel("Note").fill("I know him"));
    const second = await codeShown(ann.page);
    ben = await enrol(browser, venue, complaints, "ben", [first, second]);
    const { operators } = await venue.admin("/admin/operators");
    const enrolled = operators
      .filter((each: { enrolled: boolean }) => each.enrolled)
      .map(({ name }: { name: string }) => name);
    assert.deepEqual(enrolled.filter((name: string) => name !== "root").sort(), ["ann", "ben"]);
  });

  await t.test("who was just let in may not consent yet, and is told from when on", async () => {
    await venueMoves(ann, "1500");
    await openArea(ben.page, "Approvals");
    await ben.page.getByRole("cell", { name: /1.500 USDT to/ }).click();
    await act(ben.page, "Consent", (form) => form.getByLabel("Note").fill("fine"));
    await ben.page
      .getByRole("dialog")
      .getByText(/let in less than 24 hours ago/)
      .waitFor();
    await ben.page.keyboard.press("Escape");
    assert.equal(await availableOf(venue, dave.userId), "700.00000000");
  });

  await t.test("a user is frozen by one operator, with what that means told before", async () => {
    const form = await ben.begin("Freeze or free a user", "dave");
    await form.getByText("dave can neither trade, cancel, transfer nor withdraw").waitFor();
    await form.getByRole("button", { name: "Freeze", exact: true }).click();
    await form.waitFor({ state: "detached" });
    const client = venue.client(dave.key);
    await assert.rejects(client.read("/v2/assets/spot/balance"));
    const back = await ann.begin("Freeze or free a user", "dave");
    await back.getByText("Status").locator("..").getByText("frozen", { exact: true }).waitFor();
    await back.getByRole("button", { name: "Unfreeze", exact: true }).click();
    await back.waitFor({ state: "detached" });
    assert.ok(await client.read("/v2/assets/spot/balance"));
  });

  await t.test("a withdrawal that waits is reviewed with its figures, and stopped or let go", async () => {
    const client = venue.client(dave.key);
    const wish = { ccy: "USDT", withdraw_method: "inter_user", to_address: "carol", amount: "300" };
    const first = await client.act("/v2/assets/withdraw", wish);
    const second = await client.act("/v2/assets/withdraw", { ...wish, amount: "200" });
    const stopping = await ann.begin("Review a withdrawal", new RegExp(`^${first.withdraw_id}:`));
    await stopping.getByText("300 USDT").first().waitFor();
    await stopping.getByRole("button", { name: "Reject" }).click();
    await stopping.getByLabel("Note").fill("asked by telephone");
    await stopping.getByRole("button", { name: "Reject" }).click();
    await stopping.waitFor({ state: "detached" });
    const letting = await ann.begin("Review a withdrawal", new RegExp(`^${second.withdraw_id}:`));
    await letting.getByRole("button", { name: "Approve" }).click();
    await letting.getByText(/Up to 1.000 USDT it is done at once\./).waitFor();
    await letting.getByLabel("Note").fill("called him");
    await letting.getByRole("button", { name: "Approve" }).click();
    await letting.waitFor({ state: "detached" });
    const { withdrawals } = await venue.admin("/admin/withdrawals");
    assert.deepEqual(
      withdrawals.map((each: Record<string, string>) => [each["withdraw_id"], each["status"], each["note"]]),
      [
        [second.withdraw_id, "finished", "called him"],
        [first.withdraw_id, "failed", "asked by telephone"],
      ],
    );
    assert.equal(await availableOf(venue, dave.userId), "500.00000000");
  });
  assert.deepEqual(complaints, []);
});

/** A user with money and a key that withdraws, made while one operator still may. */
async function somebodyWithKey(venue: VenueProcess, name: string): Promise<{ userId: number; key: ApiKeyPair }> {
  const { user_id } = await venue.admin("/admin/users", { name });
  await venue.admin("/admin/deposits", { user_id, ccy: "USDT", amount: "700", note: "wire 8" });
  const { access_id, secret_key } = await venue.admin("/admin/api-keys", {
    user_id,
    permissions: ["read", "trade", "withdraw"],
  });
  return { userId: Number(user_id), key: { accessId: access_id, secret: secret_key } };
}

async function sitDown(browser: Browser, venue: VenueProcess, complaints: string[], token?: string): Promise<Desk> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(venue.adminUrl);
  if (token !== undefined) {
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  }
  const begin = async (task: string, subject?: string | RegExp) => {
    await openArea(page, "Tasks");
    await page.getByRole("button", { name: task }).click();
    const dialog = page.getByRole("dialog", { name: task });
    if (typeof subject === "string") {
      await dialog.getByRole("searchbox").fill(subject);
      await dialog.getByRole("button", { name: new RegExp(`^${subject},`) }).waitFor();
      await page.keyboard.press("Enter");
    } else if (subject !== undefined) await dialog.getByRole("button", { name: subject }).click();
    return dialog;
  };
  return { page, begin };
}

async function enrol(
  browser: Browser,
  venue: VenueProcess,
  complaints: string[],
  name: string,
  codes: readonly string[],
): Promise<Desk> {
  const desk = await sitDown(browser, venue, complaints);
  const { page } = desk;
  await page.getByRole("button", { name: "Enrol with a code" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
  if (codes[1] !== undefined) await page.getByLabel(/^Second code/).fill(codes[1]);
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
  await page.getByRole("button", { name: "I have kept it: sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return desk;
}

/** The code that is shown once, which is then put away. */
async function codeShown(page: Page): Promise<string> {
  const shown = page.getByRole("dialog").locator("dl.secrets");
  const code = await shown
    .locator("dt", { hasText: /^Enrolment$/ })
    .locator("+ dd")
    .innerText();
  await page.getByRole("button", { name: "I have kept it" }).click();
  return code.trim();
}

/** Asks for a credit above the bound. */
async function venueMoves(desk: Desk, amount: string): Promise<void> {
  const form = await desk.begin("Credit a user", "dave");
  await form.getByLabel("Currency").fill("USDT");
  await form.getByLabel("Amount").fill(amount);
  await form.getByText(/dave has 1.500 USDT more available: 2.200.* USDT instead of 700/).waitFor();
  await form.getByText(/It is more than 1.000 USDT\. It waits under Approvals/).waitFor();
  await form.getByLabel("Note").fill("wire 9");
  await form.getByRole("button", { name: "Credit", exact: true }).click();
  await desk.page.getByText("It waits for the consent of another operator").waitFor();
}

async function availableOf(venue: VenueProcess, userId: number): Promise<string> {
  const { balances } = await venue.admin(`/admin/users/${userId}`);
  return balances.find(({ ccy }: { ccy: string }) => ccy === "USDT").available;
}
