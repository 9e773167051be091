/**
 * An operator in a real browser: enrols with the codes that he was given, and is let in by a passkey until he is reset.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { markup } from "./settable-texts.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { addVirtualAuthenticator } from "./virtual-authenticator.ts";

const skip = noBrowser();
/** Markup is a name like any other. */
const NAME = markup(1);

test("an operator takes his place with his code, adds a passkey, and comes in by it until he is reset", {
  skip,
}, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  const home = venue.adminUrl.replace("127.0.0.1", "localhost");
  const device = await addVirtualAuthenticator(page);
  const { enrolment } = await venue.admin("/admin/operators", { name: "ann", role: "admin" });
  await page.goto(home);
  await page.getByRole("button", { name: "Enrol with a code" }).click();
  await page.getByLabel("Name").fill("ann");
  await page.getByLabel("Code", { exact: true }).fill(String(enrolment));
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
  await page.getByRole("button", { name: "I have kept it: sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();

  const dialog = page.getByRole("dialog", { name: "Passkeys" });
  await page.getByRole("button", { name: "Passkeys" }).click();
  await dialog.getByText("None yet.").waitFor();
  await dialog.getByLabel("Name of a new one").fill(NAME);
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByText(`${NAME}, since`).waitFor();
  assert.equal(await device.passkeys(), 1);
  await dialog.getByRole("button", { name: "Close dialog" }).click();

  const byPasskey = page.getByRole("button", { name: "Use a passkey" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await device.setVerified(false);
  await byPasskey.click();
  await page.getByRole("alert").waitFor();
  await device.setVerified(true);
  await byPasskey.click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByRole("banner").getByText("ann").waitFor();

  await page.getByRole("button", { name: "Passkeys" }).click();
  await dialog.getByText(`${NAME}, since`).waitFor();
  await dialog.getByRole("button", { name: "Close dialog" }).click();
  await venue.admin("/admin/operators/ann/reset", {});
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.reload();
  await byPasskey.click();
  await page.getByRole("alert").waitFor();
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith(`asks ${home}`)),
    [],
  );
});

test("an operator opens his link himself: it is gone from the address at once, serves once, and stands in no log", {
  skip,
}, async (t) => {
  const { venue, page } = await openStage(t);
  const home = venue.adminUrl.replace("127.0.0.1", "localhost");
  const { enrolment } = await venue.admin("/admin/operators", { name: "ben", role: "admin" });
  const link = `${home}/#enrol?name=ben&code=${enrolment}`;
  await page.goto(`${home}/#enrol?name=ben&code=${"x".repeat(43)}`);
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "No operator of this name enrols with these codes now." }).waitFor();

  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  await page.goto("about:blank");
  await page.goto(link);
  assert.equal(await page.getByLabel("Name").inputValue(), "ben");
  assert.equal(await page.evaluate("location.href"), `${home}/`, "the code is not in the address any more");
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
  await page.getByRole("button", { name: "I have kept it: sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.deepEqual(
    asked.filter((url) => url.includes(String(enrolment)) && !url.startsWith(`${home}/#`)),
    [],
  );

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "Codes serve once" }).waitFor();
  // Pasted into the field of a code it is the same.
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Enrol with a code" }).click();
  await page.getByLabel("Code", { exact: true }).fill(link);
  assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), String(enrolment));
  assert.ok(!venue.complaints().includes(String(enrolment)), "the code is in no log");
});
