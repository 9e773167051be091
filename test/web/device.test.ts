/** Programs that sessions were begun with, told in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceOf } from "../../web/src/ui/device.ts";

const KHTML = "AppleWebKit/537.36 (KHTML, like Gecko)";

const ROWS: readonly (readonly [agent: string, words: string])[] = [
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/131.0.0.0 Safari/537.36`, "Chrome 131 on Linux"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/131.0.0.0 Safari/537.36`, "Chromium 131 on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
    "Edge 130 on Windows",
  ],
  [`Mozilla/5.0 (Windows NT 10.0) ${KHTML} Chrome/129.0.0.0 Safari/537.36 OPR/115.0.0.0`, "Opera 115 on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox 132 on macOS"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 " +
      "Safari/605.1.15",
    "Safari 17 on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
      "Version/17.6 Mobile/15E148 Safari/604.1",
    "Safari 17 on iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.1 " +
      "Mobile/15E148 Safari/604.1",
    "Chrome 131 on iPad",
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${KHTML} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet 26 on Android",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/131.0.0.0 Safari/537.36`, "Chrome 131 on ChromeOS"],
  ["Mozilla/5.0 (Linux) Something", "A browser on Linux"],
  ["curl/8.5.0", "curl 8.5.0"],
  ["python-requests/2.32.3", "python-requests 2.32.3"],
  ["node", "node"],
  ["", "An unnamed program"],
  ["<script>alert(1)</script>", "An unnamed program"],
];

for (const [agent, words] of ROWS) {
  test(`“${agent.slice(0, 60)}” is ${words}`, () => assert.equal(deviceOf(agent), words));
}
