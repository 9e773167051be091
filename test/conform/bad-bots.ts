/**
 * Bots that do one thing wrong each, by the name of the rule that they break. They are as plain as such programs are.
 */
import { createHmac } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";

export interface Ground {
  readonly url: string;
  readonly accessId: string;
  readonly secretKey: string;
}

export const ORDER = {
  market: "BTCUSDT",
  market_type: "SPOT",
  side: "buy",
  type: "limit",
  amount: "0.001",
  price: "20000",
};
const BALANCE = "/v2/assets/spot/balance";

type Answer = { readonly code: number; readonly data: unknown } | undefined;

/** A signed call; undefined where no answer came. */
export async function call(
  ground: Ground,
  method: string,
  target: string,
  body?: string,
  timestamp = String(Date.now()),
): Promise<Answer> {
  const { url, accessId, secretKey } = ground;
  const signature = createHmac("sha256", secretKey)
    .update(`${method}${target}${body ?? ""}${timestamp}`)
    .digest("hex");
  const headers = { "X-SVC-KEY": accessId, "X-SVC-SIGN": signature, "X-SVC-TIMESTAMP": timestamp };
  try {
    return (await (
      await fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) })
    ).json()) as Answer;
  } catch {
    return undefined;
  }
}

export async function place(ground: Ground, more: object = {}): Promise<Answer> {
  return await call(ground, "POST", "/v2/spot/order", JSON.stringify({ ...ORDER, ...more }));
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

interface Heard {
  readonly socket: WebSocket;
  readonly ask: (method: string, params: object) => void;
}

/** Generous: a busy machine is slow, and a fault that is not found is never found. */
const JUDGED_MS = 120_000;

/** Goes on with what the bot does wrong until it is found. */
async function untilFound(isFound: () => boolean, goOn: () => Promise<void> = () => pause(20)): Promise<void> {
  for (const sinceMs = performance.now(); !isFound() && performance.now() - sinceMs < JUDGED_MS; ) await goOn();
}

/** A socket that sends what it is told once it is logged in. */
export function connect(
  { url, accessId, secretKey }: Ground,
  onOpen: (heard: Heard) => void,
  onPush: (frame: { method?: string }) => void = () => {},
): WebSocket {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v2/spot`);
  let id = LOGIN_ID;
  const ask = (method: string, params: object) => socket.send(JSON.stringify({ id: id++, method, params }));
  socket.on("error", () => {});
  socket.on("message", (bytes: Buffer) => {
    const frame = JSON.parse(gunzipSync(bytes).toString());
    // The login has to be over before what needs it.
    if (frame.id === LOGIN_ID) onOpen({ socket, ask });
    else onPush(frame);
  });
  socket.on("open", () => {
    const timestamp = Date.now();
    const signed_str = createHmac("sha256", secretKey).update(String(timestamp)).digest("hex");
    ask("server.sign", { access_id: accessId, signed_str, timestamp });
  });
  return socket;
}

/** Of the first request on each socket. */
const LOGIN_ID = 1;
const DEPTH = { market_list: [["BTCUSDT", 5, "0", false]] };
const MARKETS = { market_list: ["BTCUSDT"] };

type BadBot = (ground: Ground, moveBook: () => Promise<void>, isFound: () => boolean) => Promise<void>;

/** What each does; `moveBook` changes the book from another account, `isFound` tells whether it has been found out. */
export const BAD_BOTS: Readonly<Record<string, BadBot>> = {
  "signature-retried": async (ground) => {
    for (let tries = 0; tries < 12; tries++) await call(ground, "GET", BALANCE);
  },
  "limit-ignored": async (ground) => {
    for (let tries = 0; tries < 6; tries++) while ((await call(ground, "GET", BALANCE))?.code === 4213);
  },
  "busy-hammered": async (ground) => {
    for (let tries = 0; tries < 8; tries++) while ((await place(ground))?.code === 3008);
  },
  "order-sent-twice": async (ground) => {
    for (let tries = 0; tries < 4; tries++) while ((await place(ground)) === undefined);
  },
  "clock-not-taken": async (ground) => {
    for (let tries = 0; tries < 12; tries++) {
      await call(ground, "GET", BALANCE);
      await pause(110);
    }
  },
  "float-amount": async (ground) => {
    const price = 20_000;
    for (const amount of [0.1 + 0.2, String(1e-7), 0.001]) await place(ground, { amount, price });
  },
  "secret-sent": async (ground) => {
    await call(ground, "GET", `${BALANCE}?secret=${ground.secretKey}`);
  },
  "limit-ignored in crowds": async (ground) => {
    const untilMs = performance.now() + 1_500;
    for (let refused = 0; refused < 40 || performance.now() < untilMs; ) {
      const answers = await Promise.all(Array.from({ length: 15 }, () => call(ground, "GET", BALANCE)));
      refused += answers.filter((answer) => answer?.code === 4213).length;
    }
    // The bots behind it find the quota as it was.
    await pause(1_100);
  },
  "stale-book": async (ground, moveBook, isFound) => {
    const socket = connect(ground, ({ ask }) => ask("depth.subscribe", DEPTH));
    await untilFound(isFound, async () => {
      await pause(250);
      await moveBook();
    });
    socket.terminate();
  },
  "not-reconnected": async (ground, _moveBook, isFound) => {
    connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await untilFound(isFound);
  },
  "not-resubscribed": async (ground, _moveBook, isFound) => {
    const first = connect(ground, ({ ask }) => {
      ask("deals.subscribe", MARKETS);
      ask("balance.subscribe", { ccy_list: [] });
    });
    await new Promise((resolve) => first.on("close", resolve));
    const second = connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await untilFound(isFound);
    second.terminate();
  },
  "gap-not-read": async (ground, _moveBook, isFound) => {
    const follow = () => connect(ground, ({ ask }) => ask("order.subscribe", MARKETS));
    await new Promise((resolve) => follow().on("close", resolve));
    const second = follow();
    await untilFound(isFound);
    second.terminate();
  },
  "no-ping": async (ground, _moveBook, isFound) => {
    connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await untilFound(isFound);
  },
};
