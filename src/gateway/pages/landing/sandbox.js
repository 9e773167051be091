// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The sandbox of a venue whose accounts are everybody's: sign in as one by a click, take test money, move the clock. */
import { at, element, say } from "./elements.js";
import { act, Refusal, read } from "./venue.js";

const MINUTE_MS = 60_000;
const UNITS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS };
/** Currencies with a button of their own; others are typed. */
const BUTTONS_MAX = 4;

export class Sandbox {
  #clock;
  #account;
  #offered = "";
  #isMoving = false;

  constructor(clock) {
    this.#clock = clock;
    for (const button of document.querySelectorAll("[data-account]")) {
      button.addEventListener("click", () => this.#signIn(button.dataset.account));
    }
    at("sign-out").addEventListener("click", () => this.#signOut());
    at("money-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#take(at("money-ccy").value.trim().toUpperCase());
    });
    at("freeze").addEventListener("click", () => this.#move({ freeze: !this.#clock.isFrozen }, "Asking…"));
    for (const button of document.querySelectorAll("[data-advance]")) {
      const { advance } = button.dataset;
      button.addEventListener("click", () =>
        this.#move({ advance_ms: UNITS[advance] }, `Living through a ${advance}…`),
      );
    }
    at("speed-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#move({ speed: at("speed").value }, "Asking…");
    });
  }

  /** Whether the page offers any of it. */
  static get isOffered() {
    return at("sandbox") !== null;
  }

  async start() {
    this.#signedIn(await read("/web/session"));
  }

  /** Offers the currencies of these markets. */
  offer(markets) {
    const ccys = [...new Set(["USDT", ...markets.map(({ base_ccy }) => base_ccy)])];
    if (ccys.join() === this.#offered) return;
    this.#offered = ccys.join();
    const buttons = ccys.slice(0, BUTTONS_MAX).map((ccy) => {
      const button = element("button", { type: "button", class: "action" }, ccy);
      button.addEventListener("click", () => this.#take(ccy));
      return button;
    });
    at("money-buttons").replaceChildren(...buttons);
    at("ccys").replaceChildren(...ccys.map((ccy) => element("option", { value: ccy }, "")));
  }

  showClock() {
    const { isVirtual, isFrozen } = this.#clock;
    at("clock-actions").hidden = !isVirtual;
    say(at("freeze"), isFrozen ? "Let it run" : "Freeze");
    say(
      at("clock-kind"),
      isVirtual
        ? "This venue has a clock of its own. What falls due on the way happens: candles, fundings, interest, expiries."
        : "This venue runs by the machine's clock. Start it with --clock virtual, and its time can be frozen, " +
            "moved on and sped up here.",
    );
  }

  async #signIn(account) {
    await this.#trying(at("account-said"), async () => {
      this.#signedIn(await act("/web/demo", { account }));
      return undefined;
    });
  }

  async #signOut() {
    await this.#trying(at("account-said"), async () => {
      await act("/web/sign-out");
      this.#signedIn(await read("/web/session"));
      at("account-said").focus();
      return undefined;
    });
  }

  #signedIn({ user }) {
    this.#account = user?.name;
    const isNobody = this.#account === undefined;
    at("sign-out").hidden = isNobody;
    for (const id of ["money-actions", "clock-actions"]) at(id).disabled = isNobody;
    say(
      at("account-said"),
      isNobody ? "Sign in to take test money and to move the clock." : `You are signed in as ${this.#account}.`,
    );
  }

  async #take(ccy) {
    await this.#trying(at("money-said"), async () => {
      const given = await act("/web/test-money", { ccy });
      return `${this.#account} got ${given.amount} ${given.ccy}.`;
    });
  }

  /** One way after the other: a long one takes its time. */
  async #move(change, meanwhile) {
    if (this.#isMoving) return;
    this.#isMoving = true;
    say(at("clock-said"), meanwhile);
    const account = this.#account;
    const unanswered =
      "There is no answer yet; the venue may still be living through it, and the time above shows how far it is.";
    await this.#trying(at("clock-said"), () => this.#moved(change, account), unanswered);
    this.#isMoving = false;
  }

  async #moved(change, account) {
    const moved = await act("/web/clock", change);
    this.#clock.set(moved);
    // A session ends by the venue's clock, a day after its last use.
    const session = await read("/web/session");
    this.#signedIn(session.user === null ? await act("/web/demo", { account }) : session);
    const time = new Date(moved.time_ms).toISOString().replace("T", " ").slice(0, 19);
    const pace = moved.frozen ? "stands still" : `runs at speed ${moved.speed.toLocaleString("en")}`;
    return `It is ${time}, and time ${pace}.`;
  }

  /** Says what came of it: the sentence that `action` gives, if any, or that of the venue's refusal. */
  async #trying(place, action, unanswered = "The venue cannot be reached; try again.") {
    try {
      const text = await action();
      if (text !== undefined) tell(place, text);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      tell(place, isRefused ? error.message : unanswered);
      if (error.reason === "session_unknown") this.#signedIn({ user: null });
    }
  }
}

/** Says it even where the same was said before. */
function tell(place, text) {
  place.textContent = "";
  requestAnimationFrame(() => say(place, text));
}
