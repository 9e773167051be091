import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempts } from "./attempts.ts";
import { type Mail, Mails } from "./mails.ts";

const ANN = "ann@example.com";

function mailsOf() {
  const sent: Mail[] = [];
  const mails = new Mails({
    mailer: { send: async (mail) => void sent.push(mail) },
    attempts: new Attempts(() => 0),
    log: { error: () => assert.fail("nothing may fail") },
  });
  return { mails, sent };
}

test("mails that strangers ask for are three an hour, and use up nothing of the notices of an account", () => {
  const { mails, sent } = mailsOf();
  for (let count = 0; count < 20; count++) mails.reset(ANN, "https://exchange.example/#reset=x");
  assert.equal(sent.splice(0).length, 3);
  mails.notice(ANN, "The password of your account has been changed.");
  assert.deepEqual(
    sent.map(({ to, subject }) => [to, subject]),
    [[ANN, "A change of your account"]],
  );
  mails.close();
});

test("five notices go out at once, further ones together when ten minutes are over, and none is lost", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { mails, sent } = mailsOf();
  for (let count = 0; count < 5; count++) mails.notice(ANN, `Change ${count}.`);
  assert.equal(sent.splice(0).length, 5);
  for (let count = 0; count < 3; count++) mails.notice(ANN, "A key was made.");
  mails.notice(ANN, "An authenticator was taken off.");
  mails.notice("ben@example.com", "A key was made.");
  assert.deepEqual(
    sent.splice(0).map(({ to }) => to),
    ["ben@example.com"],
  );
  t.mock.timers.tick(10 * 60_000);
  const [merged] = sent.splice(0);
  assert.match(merged?.text ?? "", /A key was made\. \(3 times\)\n\nAn authenticator was taken off\.\n/);
  mails.notice(ANN, "Another change.");
  assert.equal(sent.splice(0).length, 1, "a new window begins");
});

test("a flood of different notices is one mail, which names some and counts all, also when the venue stops", () => {
  const { mails, sent } = mailsOf();
  for (let count = 0; count < 1_000; count++) mails.notice(ANN, `Change ${count}.`);
  assert.equal(sent.splice(0).length, 5);
  mails.close();
  assert.equal(sent.length, 1);
  assert.match(sent[0]?.text ?? "", /Change 54\.\n\nThere were 945 further changes\./);
});
