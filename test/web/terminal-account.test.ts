/** The terminal as somebody uses it, in a real browser: from the link in a mail to a second factor and a key. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { ApiClient } from "../support/api-client.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { WebClient } from "./web-client.ts";

const skip = noBrowser();
const EMAIL = "ann@example.org";
const PASSWORD = "rather a long password";
const STEP_MS = 30_000;

test("somebody signs up by mail, signs in, sets up an authenticator, signs in with its code, and makes a key", {
  skip,
}, async (t) => {
  const { venue, data, page, complaints } = await openStage(t);
  // The link is opened in another browser than the one that asked for it.
  await new WebClient(venue.url).act("/web/sign-up", { email: EMAIL, password: PASSWORD });
  const mail = () => readdirSync(join(data, "mail")).map((name) => readFileSync(join(data, "mail", name), "utf8"));
  // Nobody waits for a mail: the answer may be there before it.
  let link: string | undefined;
  for (const giveUpAt = Date.now() + 30_000; link === undefined && Date.now() < giveUpAt; await sleep(50)) {
    link = /http\S+#sign-up=[\w.-]+/.exec(mail().join("\n"))?.[0];
  }
  assert.ok(link);
  await page.goto(venue.url + new URL(link).hash.replace(/^/, "/"));
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Your account is made. Sign in with the password that you chose.").waitFor();
  assert.equal(await dialog.getByLabel("E-mail").inputValue(), EMAIL);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  const menu = page.getByRole("button", { name: EMAIL });
  await menu.waitFor();

  await page.goto(`${venue.url}/my/security`);
  const authenticator = page.getByRole("region", { name: "Authenticator" });
  await authenticator.getByRole("button", { name: "Set up" }).click();
  await authenticator.getByRole("img", { name: /QR code/ }).waitFor();
  const secret = Secret.fromBase32((await authenticator.getByTitle("Copy").innerText()).replaceAll(/\s/g, ""));
  const code = (stepsAhead: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * STEP_MS });
  await authenticator.getByLabel("Code that the app shows").fill(code(0));
  await authenticator.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByText("Code 10").waitFor();
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await authenticator.getByText("10 recovery codes are left.", { exact: false }).waitFor();

  await menu.click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  await dialog.getByLabel("E-mail").fill(EMAIL);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  // A code serves once: the next one, which is good already.
  await dialog.getByLabel(/^Code of the authenticator/).fill(code(1));
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await menu.waitFor();

  await page.goto(`${venue.url}/my/keys`);
  await page.getByLabel(/^Addresses it may be used from/).fill("127.0.0.1");
  await page.getByLabel(/^Remark/).fill("bot");
  await page.getByRole("button", { name: "Create API key" }).click();
  const secrets = dialog.locator(".secrets dd");
  const accessId = await secrets.nth(0).innerText();
  const secretKey = await secrets.nth(1).innerText();
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("table", { name: "API keys" }).getByText("bot", { exact: true }).waitFor();
  assert.equal((await page.content()).includes(secretKey), false, "the secret is shown once");
  await page.reload();
  await page.getByRole("table", { name: "API keys" }).getByText("bot", { exact: true }).waitFor();
  assert.equal((await page.content()).includes(secretKey), false, "and not again");
  const key = { accessId: accessId.trim(), secret: secretKey.trim() };
  assert.equal((await new ApiClient(venue.url, Date.now, key).get("/v2/assets/spot/balance")).code, 0);
  assert.deepEqual(complaints, []);
});
