/** Operators at the console, in a real browser: what they do is seen in the terminal, in the log, and by each other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { act, openArea, openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();

test("operators plan a maintenance that the terminal shows, and let a large withdrawal go as two", {
  skip,
}, async (t) => {
  const stage = await openStage(t, "--four-eyes", "USDT=1000", "--withdraw-review", "USDT=100");
  const { venue, page: terminal, alice, complaints } = stage;
  const tokenOf = (name: string, role: string) => venue.operator(name, role);
  const root = await openConsole(stage);
  await root.getByText("The books balance.").waitFor();
  await root.getByText("Log position").waitFor();

  await t.test("a window is planned in the console and announced in the terminal", async () => {
    await openArea(root, "Maintenance");
    await act(root, "Plan a window", async (form) => {
      await form.getByRole("checkbox", { name: "SPOT" }).check();
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await form.getByLabel("Started at").fill(`${day}T10:00`);
      await form.getByLabel("Ended at").fill(`${day}T11:00`);
    });
    await root.getByRole("cell", { name: "SPOT" }).waitFor();
    await terminal.goto(`${venue.url}/trade/spot/BTCUSDT`);
    await terminal.getByText("Maintenance of spot begins in").waitFor();
    await openArea(root, "Audit trail");
    await root.getByRole("row", { name: /root plan maintenance .* accepted/ }).waitFor();
  });

  await t.test("a withdrawal above the bound waits for one who asks and another who consents", async () => {
    const to_address = `sim${"a".repeat(40)}`;
    await venue.admin("/admin/withdraw-addresses", { user_id: "alice", chain: "ERC20", address: to_address });
    const tess = await openConsole(stage, await tokenOf("tess", "treasurer"));
    const withdrawal = { ccy: "USDT", chain: "ERC20", withdraw_method: "on_chain", to_address, amount: "5000" };
    const { withdraw_id } = await alice.act("/v2/assets/withdraw", withdrawal);
    await openArea(tess, "Withdrawals");
    await tess.getByRole("cell", { name: "audit required" }).click();
    await act(tess, "Approve", (form) => form.getByLabel("Note").fill("called her"));
    await tess.getByText("It waits for the consent of another operator").waitFor();

    await openArea(tess, "Approvals");
    await tess.getByRole("cell", { name: `withdrawal ${withdraw_id}` }).click();
    await tess.getByRole("heading", { name: "Approval 1" }).waitFor();
    assert.equal(await tess.getByRole("button", { name: "Consent" }).count(), 0, "not to what she asked for");
    await openArea(root, "Approvals");
    await root.getByRole("cell", { name: `withdrawal ${withdraw_id}` }).click();
    await act(root, "Consent", (form) => form.getByLabel("Note").fill("fine"));
    await root.getByText("Nothing waits for a second operator.").waitFor();
    const { withdrawals } = await venue.admin(`/admin/withdrawals?withdraw_id=${withdraw_id}`);
    assert.notEqual(withdrawals[0].status, "audit_required");
  });

  await t.test("a viewer sees everything and is offered nothing", async () => {
    const token = await tokenOf("vic", "viewer");
    const vic = await openConsole(stage, token);
    await vic.getByText("Log position").waitFor();
    assert.equal(await vic.getByRole("button", { name: "Set cancel-only" }).count(), 0);
    await openArea(vic, "Users");
    await vic.getByRole("cell", { name: "alice", exact: true }).click();
    await vic.getByRole("heading", { name: /^alice, user/ }).waitFor();
    assert.equal(await vic.getByRole("button", { name: "Freeze", exact: true }).count(), 0);
    assert.equal(await vic.getByRole("button", { name: "Create user" }).count(), 0);
    assert.equal(
      await vic
        .evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
        .then(String)
        .then((kept) => kept.includes(token)),
      false,
    );
    await vic.getByRole("button", { name: "Close panel" }).click();
    await venue.admin("/admin/operators/vic/reset", {});
    await vic.getByRole("button", { name: "Refresh" }).click();
    await vic.getByText("Your session has ended.").waitFor();
  });

  await t.test("a user is frozen and freed, and a link shows what one saw", async () => {
    await openArea(root, "Users");
    await root.getByRole("searchbox", { name: "Name holds" }).fill("bob");
    await root.keyboard.press("Enter");
    await root.getByRole("cell", { name: "bob", exact: true }).click();
    await act(root, "Freeze");
    await root.getByRole("button", { name: "Unfreeze", exact: true }).waitFor();
    await root.reload();
    await root.getByRole("heading", { name: /^bob, user/ }).waitFor();
    assert.equal(await root.getByRole("cell", { name: "alice", exact: true }).count(), 0);
    await act(root, "Unfreeze");
    await root.getByRole("button", { name: "Freeze", exact: true }).waitFor();
  });
  await t.test("who looks at a market that opens by an auction is told so, until the operator opens it", async () => {
    const online_at = Date.now() + 3_600_000;
    const terms = {
      base_ccy_precision: 4,
      quote_ccy_precision: 6,
      min_amount: "0.001",
      maker_fee_rate: "0",
      taker_fee_rate: "0",
    };
    await venue.admin("/admin/markets", {
      ...{ market: "BTCETH", base_ccy: "BTC", quote_ccy: "ETH", ...terms },
      ...{ bidding_at: Date.now() - 1_000, online_at },
    });
    await terminal.goto(`${venue.url}/trade/spot/BTCETH`);
    await terminal.getByText("takes bids for a call auction").waitFor();
    await venue.admin("/admin/markets", { market: "BTCETH", online_at: Date.now() });
    await terminal.getByText("takes bids for a call auction").waitFor({ state: "hidden" });
  });
  assert.deepEqual(complaints, []);
});
