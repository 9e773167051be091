/** A passkey in a real browser, whose authenticator is the browser's own virtual one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { markup } from "./settable-texts.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { addVirtualAuthenticator } from "./virtual-authenticator.ts";

const skip = noBrowser();
const EMAIL = "pat@example.org";
const PASSWORD = "rather a long password";

test("somebody makes an account on the page, adds a passkey, signs out, and is let in by it alone", {
  skip,
}, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  // Passkeys belong to names, and an address is none.
  const home = venue.url.replace("127.0.0.1", "localhost");
  const device = await addVirtualAuthenticator(page);
  await page.goto(`${home}/trade/spot/BTCUSDT`);
  const signIn = page.getByRole("banner").getByRole("button", { name: "Sign in" });
  const dialog = page.getByRole("dialog");
  await signIn.click();
  await dialog.getByRole("button", { name: "Create an account" }).click();
  await dialog.getByLabel("E-mail").fill(EMAIL);
  await dialog.getByLabel("New password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create the account" }).click();
  const menu = page.getByRole("button", { name: EMAIL });
  await menu.waitFor();

  await page.goto(`${home}/my/security`);
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  // Markup is a name like any other.
  await passkeys.getByLabel("Name of a new one").fill(markup(1));
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByText(`${markup(1)}, since`).waitFor();
  assert.equal(await device.passkeys(), 1);

  await menu.click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn.click();
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await menu.waitFor();
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith(`asks ${home}`)),
    [],
  );
});

test("somebody whose authenticator is lost comes in by a recovery code, each once, and confirms by a passkey", {
  skip,
}, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  const home = venue.url.replace("127.0.0.1", "localhost");
  const device = await addVirtualAuthenticator(page);
  await page.goto(`${home}/trade/spot/BTCUSDT`);
  const signIn = page.getByRole("banner").getByRole("button", { name: "Sign in" });
  const dialog = page.getByRole("dialog");
  const menu = page.getByRole("button", { name: EMAIL });
  await signIn.click();
  await dialog.getByRole("button", { name: "Create an account" }).click();
  await dialog.getByLabel("E-mail").fill(EMAIL);
  await dialog.getByLabel("New password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create the account" }).click();
  await menu.waitFor();

  await page.goto(`${home}/my/security`);
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByRole("button", { name: "Delete" }).waitFor();
  const authenticator = page.getByRole("region", { name: "Authenticator" });
  await authenticator.getByRole("button", { name: "Set up" }).click();
  // Anyone who changes how one signs in shows a second factor, once there is one.
  const confirmation = page.getByRole("dialog", { name: "Confirm that it is you" });
  await confirmation.getByRole("button", { name: "Use a passkey" }).click();
  await authenticator.getByText("Or type it in").waitFor();
  const secret = /[A-Z2-7]{32}/.exec(await authenticator.innerText())?.[0];
  assert.ok(secret !== undefined, "the secret is shown as a text");
  await authenticator
    .getByLabel("Code that the app shows")
    .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await authenticator.getByRole("button", { name: "Confirm" }).click();
  const shown = page.getByRole("dialog", { name: "Recovery codes" });
  await shown.waitFor();
  const codes = (await shown.innerText()).match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}/g) ?? [];
  assert.equal(codes.length, 10);
  await shown.getByRole("button", { name: "Close dialog" }).click();
  await authenticator.getByText("10 recovery codes are left").waitFor();

  const signOut = async () => {
    await menu.click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn.click();
  };
  const enter = async (code: string) => {
    await dialog.getByLabel("E-mail").fill(EMAIL);
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.getByLabel(/code/i).fill(code);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await signOut();
  await enter(codes[0] ?? "");
  await menu.waitFor();
  await signOut();
  await enter(codes[0] ?? "");
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel(/code/i).fill(codes[1] ?? "");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await menu.waitFor();
  await page.goto(`${home}/my/security`);
  await authenticator.getByText("8 recovery codes are left").waitFor();

  await signOut();
  await device.setVerified(false);
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await dialog.getByRole("alert").waitFor();
  await device.setVerified(true);
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await menu.waitFor();
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith(`asks ${home}`)),
    [],
  );
});
