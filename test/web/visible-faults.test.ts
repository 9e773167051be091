/** The look for visible faults finds one of each kind, and none where there is none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser } from "./browser.ts";
import { noBrowser } from "./terminal-stage.ts";
import { visibleFaults } from "./visible-faults.ts";

/** By what is found, a part of a page that has it, and the same part without. */
const KINDS: Readonly<Record<string, readonly [faulty: string, sound: string]>> = {
  cut: [
    '<p style="width:40px;overflow:hidden;white-space:nowrap">a long text</p>',
    '<p title="a long text" ' +
      'style="width:40px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">a long text</p>',
  ],
  "beyond the edge": [
    '<p style="position:absolute;left:340px;white-space:nowrap">a long text</p>',
    '<div style="overflow:hidden" class="rail"><p style="width:40px">short</p></div>',
  ],
  "scrolls sideways": [
    '<div style="width:100px;overflow:auto"><p style="width:300px">a long text</p></div>',
    '<nav class="rail" style="width:100px;overflow:auto"><p style="width:300px">a long text</p></nav>',
  ],
  "runs into": [
    '<p>one text</p><p style="margin-top:-34px">another text</p>',
    '<p>one text</p><p style="margin-top:0">another text</p>',
  ],
  "a name of the API": ["<p>stp_mode</p>", "<p>Self-trade protection <code>stp_mode</code></p>"],
  "no value": ["<p>Status: undefined</p>", "<p>Status: –</p>"],
  "stands apart": [
    '<table class="row-cards"><tr><td ' +
      'style="display:flex;width:200px;justify-content:space-between"><b>5</b> USDT</td></tr></table>',
    '<table class="row-cards"><tr><td ' +
      'style="display:flex;width:200px;justify-content:flex-end"><b>5</b> USDT</td></tr></table>',
  ],
  "out of sight": [
    '<nav class="rail" style="width:100px;overflow:auto;display:flex"><a ' +
      'style="flex:0 0 300px">One</a><a aria-current="page">Two</a></nav>',
    '<nav class="rail" style="width:100px;overflow:auto;display:flex"><a ' +
      'aria-current="page">Two</a><a style="flex:0 0 300px">One</a></nav>',
  ],
};

test("each kind of fault is found where it is, and nowhere else", { skip: noBrowser() }, async (t) => {
  const browser = await openBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  for (const [kind, [faulty, sound]] of Object.entries(KINDS)) {
    await page.setContent(`<body style="margin:0;font:14px/20px sans-serif">${faulty}</body>`);
    const found = await visibleFaults(page);
    assert.ok(found.length > 0 && found.every((fault) => fault.startsWith(kind)), `${kind}: ${found.join("; ")}`);
    await page.setContent(`<body style="margin:0;font:14px/20px sans-serif">${sound}</body>`);
    assert.deepEqual(await visibleFaults(page), [], `a sound page, ${kind}`);
  }
});
