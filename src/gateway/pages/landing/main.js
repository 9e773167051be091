// @ts-nocheck This runs in the browser; the types of the project are Node's.
/*
 * Keeps the figures of the landing page alive, as any client could: a first state over HTTP, and from then on what the
 * venue pushes. While nobody looks nothing is done.
 */
import { VenueClock } from "./clock.js";
import { offerCopies } from "./copying.js";
import { at, say } from "./elements.js";
import { Markets, PRODUCTS } from "./markets.js";
import { Sandbox } from "./sandbox.js";
import { VenueSocket } from "./socket.js";
import { LEVELS, Trading } from "./trading.js";

/**
 * How often everything is read again though nobody has said that it changed: which markets there are and how they rank,
 * and candles.
 */
const REREAD_MS = 300_000;
/** A first state that could not be read is asked for again after this. */
const RETRY_MS = 5_000;
/** Several reasons to read at one moment are one. */
const GATHER_MS = 100;
/** The venue has gone back to a snapshot. */
const REVERTED = 4001;

for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
offerCopies();

const clock = new VenueClock({
  jumped: () => markets.loadCandles().catch(() => {}),
  changed: () => sandbox?.showClock(),
});
const sandbox = Sandbox.isOffered ? new Sandbox(clock) : undefined;
const trading = new Trading();
const markets = new Markets(clock, followShown);
const sockets = PRODUCTS.map((product) => [product, new VenueSocket(product, hearsOf(product))]);
let reading;
/** What is known may be of another time. */
let isStale = true;

document.addEventListener("visibilitychange", lookedAt);
lookedAt();
await sandbox?.start().catch(() => {});

function lookedAt() {
  clearTimeout(reading);
  reading = undefined;
  for (const [, socket] of sockets) {
    if (document.hidden) socket.stop();
    else socket.start();
  }
  isStale = true;
  if (document.hidden) showState("paused", false);
  else readSoon(0);
}

function readSoon(waitMs) {
  clearTimeout(reading);
  reading = setTimeout(readAll, waitMs);
}

async function readAll() {
  isStale = false;
  try {
    await Promise.all([clock.ask(), markets.load()]);
    sandbox?.offer(markets.shown);
    if (!document.hidden) readSoon(REREAD_MS);
  } catch {
    isStale = true;
    if (!document.hidden) readSoon(RETRY_MS);
  }
  showState();
}

function hearsOf(product) {
  return {
    opened() {
      if (isStale) readSoon(GATHER_MS);
      showState();
    },
    closed({ code, waitMs }) {
      isStale = true;
      if (code === REVERTED) {
        markets.forget();
        trading.forget();
        showState("the venue went back to a snapshot, connecting again", false);
        return;
      }
      const seconds = Math.max(1, Math.round(waitMs / 1_000));
      showState(`not connected, trying again in ${seconds} s`, false);
    },
    told: (timeMs) => clock.told(timeMs),
    pushed(channel, data) {
      if (channel === "depth") trading.tookDepth(product, data);
      else if (channel === "deals") trading.tookDeals(product, data);
      else if (channel === "index") markets.tookIndex(product, data);
      else if (channel === "state") tookStates(product, data.state_list);
    },
  };
}

function tookStates(product, states) {
  const areKnown = states.map((state) => markets.took(product, state));
  // A market has been listed.
  if (areKnown.includes(false) && !isStale) {
    isStale = true;
    readSoon(GATHER_MS);
  }
}

function followShown() {
  const selected = markets.get(markets.selected);
  trading.show(selected);
  for (const [product, socket] of sockets) {
    const shown = markets.shown.filter((market) => market.product === product).map(({ market }) => market);
    const own = selected?.product === product ? [selected.market] : [];
    const each = (channel, names) => names.map((name) => ({ channel, name, item: name }));
    socket.follow([
      ...(markets.hearsAll ? [{ channel: "state", name: "" }] : each("state", [...new Set([...shown, ...own])])),
      ...each("index", shown),
      ...each("deals", own),
      ...own.map((name) => ({ channel: "depth", name, item: [name, LEVELS, "0", true] })),
    ]);
  }
}

/** Unless told otherwise: whether figures come in. */
function showState(text, isServing = sockets.every(([, socket]) => socket.isOpen) && !isStale) {
  if (text === undefined && !isServing) return;
  say(at("state"), text ?? "serving, live");
  at("dot").classList.toggle("down", !isServing);
}
