/** Bots that do one thing wrong each, by the name of the rule that they break. They are as plain as such programs are. */
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

/** A socket that sends what it is told once it is open. */
export function connect(
  { url, accessId, secretKey }: Ground,
  onOpen: (heard: Heard) => void,
  onPush: (frame: { method?: string }) => void = () => {},
): WebSocket {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v2/spot`);
  let id = 1;
  const ask = (method: string, params: object) => socket.send(JSON.stringify({ id: id++, method, params }));
  socket.on("error", () => {});
  socket.on("message", (bytes: Buffer) => onPush(JSON.parse(gunzipSync(bytes).toString())));
  socket.on("open", () => {
    const timestamp = Date.now();
    const signed_str = createHmac("sha256", secretKey).update(String(timestamp)).digest("hex");
    ask("server.sign", { access_id: accessId, signed_str, timestamp });
    // The login has to be over before what needs it.
    setTimeout(() => onOpen({ socket, ask }), 100);
  });
  return socket;
}

const DEPTH = { market_list: [["BTCUSDT", 5, "0", false]] };
const MARKETS = { market_list: ["BTCUSDT"] };

/** What each does; `moveBook` changes the book from another account. */
export const BAD_BOTS: Readonly<Record<string, (ground: Ground, moveBook: () => Promise<void>) => Promise<void>>> = {
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
  "stale-book": async (ground, moveBook) => {
    const socket = connect(ground, ({ ask }) => ask("depth.subscribe", DEPTH));
    for (let moves = 0; moves < 9; moves++) {
      await pause(250);
      await moveBook();
    }
    socket.terminate();
  },
  "not-reconnected": async (ground) => {
    connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await pause(2_500);
  },
  "not-resubscribed": async (ground) => {
    const first = connect(ground, ({ ask }) => {
      ask("deals.subscribe", MARKETS);
      ask("balance.subscribe", { ccy_list: [] });
    });
    await new Promise((resolve) => first.on("close", resolve));
    const second = connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await pause(1_200);
    second.terminate();
  },
  "gap-not-read": async (ground) => {
    const follow = () => connect(ground, ({ ask }) => ask("order.subscribe", MARKETS));
    await new Promise((resolve) => follow().on("close", resolve));
    const second = follow();
    await pause(1_200);
    second.terminate();
  },
  "no-ping": async (ground) => {
    connect(ground, ({ ask }) => ask("deals.subscribe", MARKETS));
    await pause(1_500);
  },
};
