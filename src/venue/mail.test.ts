import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { temporaryDir } from "../../test/support/small-log.ts";
import { folderMailer, mailerOf, smtpMailer } from "./mail.ts";

/** A server that takes every mail (RFC 5321), and what it was told. */
async function mailServer(): Promise<{ server: Server; url: string; told: string[] }> {
  const told: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    createInterface({ input: socket }).on("line", (line) => {
      told.push(line);
      if (isData) {
        isData = line !== ".";
        if (!isData) socket.write("250 taken\r\n");
      } else if (/^DATA/i.test(line)) {
        isData = true;
        socket.write("354 go on\r\n");
      } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
      else socket.write("250 fine\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `smtp://127.0.0.1:${port}`, told };
}

test("a mail goes out over SMTP to one recipient, whatever characters its address has", async () => {
  const { server, url, told } = await mailServer();
  const mailer = smtpMailer(url, "The venue <venue@example.org>");
  const text = "Open this link:\n\nhttp://localhost/#sign-up=abc\n";
  await mailer.send({ to: "a'b+c@example.org", subject: "Confirm", text });
  mailer.close();
  assert.deepEqual(
    told.filter((line) => /^(MAIL|RCPT)/.test(line)),
    ["MAIL FROM:<venue@example.org>", "RCPT TO:<a'b+c@example.org>"],
  );
  assert.ok(told.includes("Subject: Confirm"));
  assert.ok(told.includes("http://localhost/#sign-up=abc"));
  server.close();
});

test("a mail that cannot be sent is a rejection, not a crash", async () => {
  const { server, url } = await mailServer();
  server.close();
  const mailer = smtpMailer(url, "venue@example.org");
  await assert.rejects(mailer.send({ to: "a@example.org", subject: "x", text: "x" }));
  mailer.close();
});

test("a folder keeps the newest two hundred mails, for nobody else to read", async (t) => {
  const folder = `${temporaryDir(t)}/mail`;
  const mailer = folderMailer(folder);
  for (let count = 0; count < 203; count++) await mailer.send({ to: "a@b.org", subject: `${count}`, text: "x" });
  const names = readdirSync(folder);
  assert.equal(names.length, 200);
  assert.ok(names.every((name) => !name.endsWith("-000000.eml")));
  assert.equal(statSync(`${folder}/${names[0]}`).mode & 0o077, 0);
});

test("without a server a dev venue keeps its mails, and a production venue sends none", () => {
  const none = { smtp: undefined, mailFrom: "venue@example.org" };
  assert.notEqual(mailerOf({ ...none, profile: "dev" }, "/tmp"), undefined);
  assert.equal(mailerOf({ ...none, profile: "production" }, "/tmp"), undefined);
});
