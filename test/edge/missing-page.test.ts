/** Where nothing stands: a page for people, the envelope for programs. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
let venue: ApiVenue;
before(async () => {
  venue = await bitcoinApiVenue();
});
after(() => venue.close());

test("a browser that goes to an address without anything is shown a page with ways on", async () => {
  for (const path of ["/nowhere", "/docs/nowhere", "/v2/spot/nowhere", "/traded"]) {
    const answer = await fetch(venue.base + path, { headers: { accept: BROWSER } });
    const text = await answer.text();
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [404, "text/html; charset=utf-8"], path);
    assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(text, /<h1>There is nothing at this address\.<\/h1>/);
    assert.ok(!text.includes(path.slice(1)), "nothing of the address is repeated");
  }
  const head = await fetch(`${venue.base}/nothing`, { method: "HEAD", headers: { accept: BROWSER } });
  assert.deepEqual([head.status, await head.text()], [404, ""]);
});

test("programs get the envelope, and so does anyone who posts", async () => {
  for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
    const answer = await fetch(`${venue.base}/nothing`, { headers });
    assert.equal(answer.status, 404);
    assert.equal(((await answer.json()) as { code: number }).code, 4004);
  }
  const posted = await fetch(`${venue.base}/nothing`, { method: "POST", headers: { accept: BROWSER } });
  assert.equal(((await posted.json()) as { code: number }).code, 4004);
});
