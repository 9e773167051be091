// @ts-nocheck This runs in the browser; the types of the project are Node's.
/*
 * One of the venue's sockets, open as long as somebody looks at the page: it connects again by itself, after ever
 * longer waits, and follows again what is wanted. Each frame is gzip.
 */
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 15_000;
/** How often it asks for the time, which also shows that the venue is there, */
const TIME_EVERY_MS = 10_000;
/** and how long that may take. */
const ANSWER_MS = 8_000;

export class VenueSocket {
  #product;
  #hears;
  #socket;
  #isWanted = false;
  #isOpen = false;
  /** What the page wants to follow, and what the venue was asked for, by `CHANNEL NAME`. */
  #wanted = new Map();
  #followed = new Map();
  #decoding = Promise.resolve();
  #retryMs = RETRY_MS_MIN;
  #asking;
  #late;
  #retrying;
  #nextId = 1;
  #timeId;

  /**
   * `hears` has `opened()`, `closed({ code, waitMs })` with the wait until the next try, `pushed(channel, data)` and
   * `told(timeMs)`, which gets the venue's time.
   */
  constructor(product, hears) {
    this.#product = product;
    this.#hears = hears;
  }

  get isOpen() {
    return this.#isOpen;
  }

  start() {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#retryMs = RETRY_MS_MIN;
    this.#connect();
  }

  stop() {
    this.#isWanted = false;
    this.#forget();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /**
   * Follows these instead of what was followed. Each is `{ channel, name, item }`, `item` being what stands for it in
   * `market_list`; without, all markets.
   */
  follow(wanted) {
    this.#wanted = new Map(wanted.map((each) => [`${each.channel} ${each.name}`, each]));
    if (this.#isOpen) this.#catchUp();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v2/${this.#product}`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => this.#socket === socket && this.#opened();
    socket.onmessage = ({ data }) => this.#took(socket, data);
    socket.onclose = ({ code }) => this.#socket === socket && this.#closed(code);
  }

  #opened() {
    this.#isOpen = true;
    this.#retryMs = RETRY_MS_MIN;
    this.#catchUp();
    this.#askTime();
    this.#asking = setInterval(() => this.#askTime(), TIME_EVERY_MS);
    this.#hears.opened();
  }

  #closed(code) {
    this.#forget();
    // All pages lose their venue at one moment, and should not come back at one.
    const waitMs = Math.round(this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
    this.#retrying = setTimeout(() => this.#connect(), waitMs);
    this.#hears.closed({ code, waitMs });
  }

  /** What was known by the connection that is gone. */
  #forget() {
    this.#isOpen = false;
    this.#followed = new Map();
    clearInterval(this.#asking);
    clearTimeout(this.#late);
    clearTimeout(this.#retrying);
  }

  #catchUp() {
    const left = [...this.#followed].filter(([key]) => !this.#wanted.has(key));
    const joined = [...this.#wanted].filter(([key]) => !this.#followed.has(key));
    this.#sendEach("unsubscribe", left, ({ name }) => name);
    this.#sendEach("subscribe", joined, ({ item }) => item);
    this.#followed = this.#wanted;
  }

  /** One request for each channel. An empty list stands for all markets. */
  #sendEach(action, entries, itemOf) {
    const byChannel = Map.groupBy(
      entries.map(([, each]) => each),
      ({ channel }) => channel,
    );
    for (const [channel, each] of byChannel) {
      this.#send(`${channel}.${action}`, { market_list: each.filter(({ item }) => item !== undefined).map(itemOf) });
    }
  }

  /** Without an answer the connection may be dead without anybody having said so. */
  #askTime() {
    const socket = this.#socket;
    this.#timeId = this.#send("server.time", {});
    this.#late = setTimeout(() => socket.close(), ANSWER_MS);
  }

  #send(method, params) {
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  #took(socket, frame) {
    // Unpacking takes turns of its own; the chain keeps frames in order.
    this.#decoding = this.#decoding
      .then(async () => {
        const text = typeof frame === "string" ? frame : await unpacked(frame);
        if (this.#socket === socket && this.#isOpen) this.#heard(JSON.parse(text));
      })
      .catch(() => socket.close());
  }

  #heard({ id, method, data }) {
    if (method !== undefined) this.#hears.pushed(method.replace(/\.update$/, ""), data);
    else if (id === this.#timeId) {
      clearTimeout(this.#late);
      this.#hears.told(data.timestamp);
    }
  }
}

async function unpacked(frame) {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const written = writer.write(frame).then(() => writer.close());
  const text = await new Response(readable).text();
  await written;
  return text;
}
