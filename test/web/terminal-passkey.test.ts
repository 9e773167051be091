/** A passkey in a real browser, whose authenticator is the browser's own virtual one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();
const EMAIL = "pat@example.org";
const PASSWORD = "rather a long password";

test("somebody makes an account on the page, adds a passkey, signs out, and is let in by it alone", {
  skip,
}, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  // Passkeys belong to names, and an address is none.
  const home = venue.url.replace("127.0.0.1", "localhost");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
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
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByRole("button", { name: "Delete" }).waitFor();
  const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
  assert.equal(credentials.length, 1);

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
