/** Markup in every text that somebody can set: every page shows it as the text that it is, and nothing of it runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { openConsole } from "./console-stage.ts";
import { SECTIONS } from "./sections.ts";
import { type Ground, markup, PLANTINGS, REFUSED } from "./settable-texts.ts";
import { noBrowser, openStage, type Stage } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";
import { WebClient } from "./web-client.ts";

const skip = noBrowser();
/** Panels that are opened in each list. */
const ROWS = 8;

/** Watches a browser's pages: what ran, what its policy stopped, and which texts were seen. */
class Watch {
  readonly complaints: string[] = [];
  readonly seen = new Set<number>();

  async over(context: BrowserContext): Promise<void> {
    await context.exposeFunction("ran", () => this.complaints.push("a script ran"));
    await context.addInitScript(
      'addEventListener("securitypolicyviolation", (event) => console.error("policy: ' +
        '" + event.violatedDirective + " " + event.blockedURI + " " + event.sample));',
    );
    context.on("console", (message) => {
      if (/policy/i.test(message.text())) this.complaints.push(message.text());
    });
    context.on("dialog", (dialog) => {
      this.complaints.push("a dialog of a script");
      void dialog.dismiss();
    });
  }

  /** Looks at a page as it is: what it shows as texts, and that no text has become an element. */
  async look(page: Page, where: string): Promise<void> {
    await untilRead(page);
    const made = await page
      .locator('.xss, [src="x"], [onerror], a[href^="javascript:" i], [href*="onerror"], iframe')
      .count();
    if (made > 0) this.complaints.push(`${made} elements of planted texts: ${where}`);
    const shown = await page.evaluate(
      "document.body.innerText + [...document.querySelectorAll('input, textarea, " +
        "[title]')].map(({ value, title }) => [value, title].join(' ')).join(' ')",
    );
    for (const [, number] of String(shown).matchAll(/t(\d+)z/g)) this.seen.add(Number(number));
  }
}

/** Plants every text; gives what was refused against expectation. */
async function plantAll({ venue, alice }: Stage): Promise<void> {
  const session = new WebClient(venue.url, { "user-agent": markup(AGENT) });
  await session.act("/web/demo", { account: "alice" });
  const ground: Ground = {
    admin: (path, body) => venue.admin(path, body),
    api: (path, body) => alice.act(path, body),
    web: async (method, path, body) => {
      const { code, message, data } = await session.send(method, path, body);
      assert.equal(code, 0, `${path}: ${message}`);
      return data;
    },
  };
  for (const [index, { plant }] of PLANTINGS.entries()) await plant(ground, markup(index + 1));
}

/** Of the browser that somebody has signed in with. */
const AGENT = 900;

test("markup in any text that can be set is shown as a text, in the terminal and in the console", {
  skip,
}, async (t) => {
  const stage = await openStage(t, "--four-eyes", "USDT=100000", "--withdraw-review", "USDT=100");
  const { venue, page: terminal } = stage;
  const watch = new Watch();
  await plantAll(stage);
  for (const [path, body] of REFUSED) {
    for (const text of [markup(1), "<b class=xss>1", "javascript:ran()"]) {
      const refusal = await venue.admin(path, body(text)).then(String, ({ message }) => `refused ${message}`);
      assert.match(refusal, /^refused .*: \d{4} /, `${path} ${JSON.stringify(body(text))}`);
    }
  }

  await watch.over(terminal.context());
  await terminal.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await stage.continueAs("alice");
  await watch.look(terminal, "trade");
  for (const section of SECTIONS) {
    await terminal.goto(`${venue.url}/my/${section}`);
    await watch.look(terminal, section);
  }
  for (const path of ["/docs", "/docs/api", "/docs/sockets"]) {
    await terminal.goto(venue.url + path);
    await watch.look(terminal, path);
  }

  const console = await openConsole(stage);
  await watch.over(console.context());
  await console.reload();
  await console.getByRole("heading", { name: "Overview" }).waitFor();
  await watch.look(console, "overview");
  const links = await console.getByRole("navigation", { name: "Areas" }).getByRole("link").all();
  assert.ok(links.length > 20);
  for (const link of links) {
    const [name, path] = [await link.innerText(), await link.getAttribute("href")];
    await link.click();
    await console.waitForURL((url) => url.pathname === path);
    await watch.look(console, name);
    const rows = console.locator("main tbody tr");
    for (let row = 0; row < Math.min(ROWS, await rows.count()); row++) {
      const cell = rows.nth(row).getByRole("cell").first();
      if (!(await cell.isVisible())) continue;
      await cell.click();
      await watch.look(console, `${name}, row ${row}`);
      const close = console.getByRole("button", { name: "Close panel" });
      if ((await close.count()) > 0) await close.click();
    }
  }

  assert.deepEqual(watch.complaints, []);
  const unseen = PLANTINGS.filter(({ hidden }, index) => hidden === undefined && !watch.seen.has(index + 1));
  assert.deepEqual(
    unseen.map(({ fields }) => fields[0]),
    [],
    "planted and seen on no page: open the page that shows it",
  );
  assert.ok(watch.seen.has(AGENT), "the browser of a session is shown");
});

test("markup that becomes an element, or runs, is found", { skip }, async (t) => {
  const { page, venue } = await openStage(t);
  const watch = new Watch();
  await watch.over(page.context());
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await watch.look(page, "before");
  assert.equal(watch.complaints.length, 0);
  await page.evaluate(`document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(markup(7))})`);
  await page.locator(".xss").waitFor();
  await watch.look(page, "planted");
  const deadline = performance.now() + 30_000;
  while (watch.complaints.length < 2 && performance.now() < deadline) await page.waitForTimeout(20);
  assert.ok(watch.complaints.some((complaint: string) => complaint.startsWith("1 elements")));
  assert.ok(
    watch.complaints.some((complaint: string) => /policy/.test(complaint)),
    watch.complaints.join("; "),
  );
});
