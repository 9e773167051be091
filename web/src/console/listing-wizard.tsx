/**
 * Listing a market step by step: what it is made of, how that moves in and out, the market, and checks before anything
 * is sent.
 */
import { createSignal, For, type JSX, Show } from "solid-js";
import { createAct } from "../account/act.ts";
import { get, post } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { ReadFault } from "../ui/read-state.tsx";
import type { Row } from "./area.ts";
import { type CallField, callOf } from "./calls.ts";
import { bodyOf, type Draft, type Drafts, emptyDraft } from "./draft.ts";
import { FieldInput } from "./field-input.tsx";
import { isEmpty } from "./form-faults.ts";
import { type Check, type Listing, listingChecks } from "./listing-checks.ts";
import { go } from "./place.ts";
import { createReading, readAllAgain } from "./reading.ts";
import { watched } from "./session.ts";
import { wordsOf } from "./words.ts";

const ASSET_CALL = "POST /admin/assets";
const MARKET_CALL = "POST /admin/markets";
const ASSETS_MAX = 1_000;

const STEPS = ["Asset", "Chains", "Market", "Check and list"] as const;
const KINDS = [
  ["SPOT", "Spot"],
  ["FUTURES", "Perpetual futures"],
] as const;

const ASSET_FIELDS = ["ccy", "scale", "full_name", "max_units"];
const MARKET_FIELDS = [
  "quote_ccy",
  "market",
  "base_ccy_precision",
  "quote_ccy_precision",
  "min_amount",
  "maker_fee_rate",
  "taker_fee_rate",
];
const FUTURES_FIELDS = ["contract_type", "leverage", "level"];
const FURTHER_FIELDS = ["bidding_at", "no_cancel_at", "online_at", "index_sources", "max_amount", "max_price"];
/** Without these the next step is not opened. */
const NEEDED: readonly (readonly string[])[] = [
  ["ccy", "scale"],
  [],
  [
    "quote_ccy",
    "market",
    "base_ccy_precision",
    "quote_ccy_precision",
    "min_amount",
    "maker_fee_rate",
    "taker_fee_rate",
  ],
];

/** Kept while the console is open: anyone who looks something up elsewhere goes on where he was. */
const [step, setStep] = createSignal(0);
const [isNew, setIsNew] = createSignal(true);
const [kind, setKind] = createSignal<"SPOT" | "FUTURES">("SPOT");
const [drafts, setDrafts] = createSignal<Drafts>({});
/** The acts that were sent, by their words. */
const [done, setDone] = createSignal<readonly string[]>([]);

function beginAnew(): void {
  setStep(0);
  setDrafts({});
  setDone([]);
}

export function ListingWizard() {
  const assets = createReading<{ assets: Row[] }>(() => ({ path: "/admin/assets", query: { limit: ASSETS_MAX } }));
  const markets = createReading<{ markets: Row[] }>(() => ({ path: "/admin/markets" }));
  const [missing, setMissing] = createSignal<readonly string[]>([]);
  const [checks, setChecks] = createSignal<readonly Check[]>([]);
  const act = createAct();
  const fieldsOf = (call: string, names: readonly string[]) => {
    const all = callOf(call)?.fields ?? [];
    return names.flatMap((name) => all.find((field) => field.name === name) ?? []);
  };
  const text = (name: string) => String(drafts()[name] ?? "").trim();
  const set = (name: string, draft: Draft) => {
    const usual = `${text("ccy")}${text("quote_ccy")}`;
    setDrafts((before) => ({ ...before, [name]: draft }));
    // The usual name, as long as nobody chose another one.
    if (["ccy", "quote_ccy"].includes(name) && ["", usual].includes(text("market")) && text("quote_ccy") !== "")
      setDrafts((before) => ({ ...before, market: `${text("ccy")}${text("quote_ccy")}` }));
    setMissing((before) => before.filter((each) => each !== name));
  };
  const known = (ccy: string) => assets.data()?.assets.find((row) => row["ccy"] === ccy);
  const isFutures = () => kind() === "FUTURES";
  const marketFields = () => [...MARKET_FIELDS, ...(isFutures() ? FUTURES_FIELDS : [])];
  const needed = (at: number) =>
    at === 2 && isFutures() ? [...(NEEDED[2] ?? []), ...FUTURES_FIELDS] : (NEEDED[at] ?? []);
  const wanted = (): Listing => {
    const rows = (name: string) => (drafts()[name] ?? []) as readonly Readonly<Record<string, string>>[];
    const scaleOf = (ccy: string) =>
      isNew() && ccy === text("ccy") ? Number(text("scale")) : (known(ccy)?.["scale"] as number | undefined);
    return {
      ...{ market: text("market"), isFutures: isFutures(), isInverse: text("contract_type") === "inverse" },
      ...{ baseCcy: text("ccy"), quoteCcy: text("quote_ccy") },
      ...{ baseScale: scaleOf(text("ccy")), quoteScale: scaleOf(text("quote_ccy")) },
      ...{ amountDecimals: text("base_ccy_precision"), priceDecimals: text("quote_ccy_precision") },
      ...{ minAmount: text("min_amount"), makerFeeRate: text("maker_fee_rate"), takerFeeRate: text("taker_fee_rate") },
      chains: isNew() ? rows("chains").map(({ chain = "" }) => chain) : [],
      sources: rows("index_sources").map(({ exchange = "", weight = "" }) => ({ exchange, weight })),
      levels: rows("level").length,
    };
  };
  const look = async () => {
    // Chains are of venues that have some.
    const chains = await watched(get<{ chains: Row[] }>("/admin/chains")).then(
      (read) => read.chains.map((row) => String(row["chain"])),
      () => [],
    );
    const all = markets.data()?.markets ?? [];
    const named = all.filter((row) => row["market_type"] === kind()).map((row) => String(row["market"]));
    const exchanges = all.flatMap((row) =>
      ((row["index_sources"] ?? []) as Row[]).map((one) => String(one["exchange"])),
    );
    const taken: readonly Check[] =
      isNew() && known(text("ccy")) !== undefined
        ? [{ says: `${text("ccy")} is listed already: choose it as an asset that is there.`, verdict: "wrong" }]
        : [];
    setChecks([...taken, ...listingChecks(wanted(), { markets: named, chains, exchanges })]);
  };
  const open = async (to: number) => {
    const lacks = Array.from({ length: to }, (_, at) => ({
      at,
      names: needed(at).filter((name) => isEmpty(drafts()[name])),
    }))
      // The scale of an asset that is there is known.
      .map(({ at, names }) => ({ at, names: at === 0 && !isNew() ? names.filter((name) => name === "ccy") : names }))
      .find(({ names }) => names.length > 0);
    setMissing(lacks?.names ?? []);
    if (to === 3 && lacks === undefined) await look();
    setStep(lacks?.at ?? to);
  };
  const actions = () => {
    const asset = bodyOf(fieldsOf(ASSET_CALL, [...ASSET_FIELDS, "chains"]), drafts());
    const market = {
      market_type: kind(),
      base_ccy: text("ccy"),
      ...bodyOf(fieldsOf(MARKET_CALL, [...marketFields(), ...FURTHER_FIELDS]), drafts()),
    };
    return [
      ...(isNew() ? [{ path: "/admin/assets", body: asset, says: `List the asset ${text("ccy")}` }] : []),
      { path: "/admin/markets", body: market, says: `List the market ${text("market")}` },
    ];
  };
  const send = async () => {
    for (const action of actions()) {
      if (done().includes(action.says)) continue;
      let waits: unknown;
      const isDone = await act.run(async () => {
        waits = (await watched(post<Row>(action.path, action.body)))["approval_id"];
      });
      if (!isDone) return;
      setDone((before) => [...before, action.says]);
      // What comes next builds upon it.
      if (waits !== undefined) return go("approvals", { row: String(waits) });
    }
    readAllAgain();
  };
  const Input = (of: { field: CallField; isNeeded?: boolean }) => (
    <FieldInput
      field={{
        ...of.field,
        required: of.isNeeded === true,
        meaning: of.field.meaning.replace(/; (?:needed )?to list$|futures only, (?:needed )?to list: /, ""),
      }}
      draft={drafts()[of.field.name] ?? emptyDraft(of.field)}
      set={(draft) => set(of.field.name, draft)}
      fault={missing().includes(of.field.name) ? `${wordsOf(of.field.name)} is required.` : undefined}
    />
  );
  const next = (to: number): JSX.Element => (
    <div class="form-row dialog-end">
      <Show when={step() > 0}>
        <button type="button" class="button" onClick={() => void open(step() - 1)}>
          Back
        </button>
      </Show>
      <button type="submit" class="button primary">
        Next: {STEPS[to]}
      </button>
    </div>
  );
  const isAllDone = () => actions().every(({ says }) => done().includes(says));
  return (
    <Show when={callOf(MARKET_CALL)} fallback={<p class="note">Your role lists no markets.</p>}>
      <ol class="wizard-steps" aria-label="Steps">
        <For each={STEPS}>
          {(name, at) => (
            <li aria-current={step() === at() ? "step" : undefined}>
              <button type="button" class="quiet-button" onClick={() => void open(at())}>
                {at() + 1}. {name}
              </button>
            </li>
          )}
        </For>
      </ol>
      <form
        class="form card padded wizard"
        aria-label={STEPS[step()]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (step() < 3) void open(step() + 1);
          else if (!act.isBusy() && !checks().some(({ verdict }) => verdict === "wrong")) void send();
        }}
      >
        <Show when={assets.fault() || markets.fault()}>
          <p>
            <ReadFault state={assets.fault() === "" ? markets : assets} />
          </p>
        </Show>
        <Show when={step() === 0}>
          <p>What is traded: an asset that the venue has, or a new one.</p>
          <fieldset class="segments" aria-label="Asset">
            <button type="button" aria-pressed={isNew()} onClick={() => setIsNew(true)}>
              New asset
            </button>
            <button type="button" aria-pressed={!isNew()} onClick={() => setIsNew(false)}>
              Asset that is there
            </button>
          </fieldset>
          <Show
            when={isNew()}
            fallback={
              <label class="field">
                <span>Asset</span>
                <select value={text("ccy")} onChange={({ currentTarget }) => set("ccy", currentTarget.value)}>
                  <option value="">Choose one</option>
                  <For each={assets.data()?.assets ?? []}>
                    {(row) => <option value={row["ccy"]}>{`${row["ccy"]}, ${row["scale"]} decimals`}</option>}
                  </For>
                </select>
                <Show when={missing().includes("ccy")}>
                  <FaultText fault={{ text: "Choose an asset.", rule: undefined }} />
                </Show>
              </label>
            }
          >
            <For each={fieldsOf(ASSET_CALL, ASSET_FIELDS)}>
              {(field) => <Input field={field} isNeeded={needed(0).includes(field.name)} />}
            </For>
          </Show>
          {next(1)}
        </Show>
        <Show when={step() === 1}>
          <Show
            when={isNew()}
            fallback={
              <p>
                {text("ccy")} keeps its chains:{" "}
                {(known(text("ccy"))?.["chains"] as string[] | undefined)?.join(", ") || "none"}. They are opened and
                changed under Assets.
              </p>
            }
          >
            <p>
              The chains on which {text("ccy") || "the asset"} moves in and out. Without one nobody deposits or
              withdraws.
            </p>
            <For each={fieldsOf(ASSET_CALL, ["chains"])}>{(field) => <Input field={field} />}</For>
          </Show>
          {next(2)}
        </Show>
        <Show when={step() === 2}>
          <fieldset class="segments" aria-label="Kind of market">
            <For each={KINDS}>
              {([value, word]) => (
                <button type="button" aria-pressed={kind() === value} onClick={() => setKind(value)}>
                  {word}
                </button>
              )}
            </For>
          </fieldset>
          <div class="pairs">
            <For each={fieldsOf(MARKET_CALL, marketFields())}>
              {(field) => <Input field={field} isNeeded={needed(2).includes(field.name)} />}
            </For>
          </div>
          <details>
            <summary>Opening, index and bounds</summary>
            <div class="form">
              <For each={fieldsOf(MARKET_CALL, FURTHER_FIELDS)}>{(field) => <Input field={field} />}</For>
            </div>
          </details>
          {next(3)}
        </Show>
        <Show when={step() === 3}>
          <ul class="checks-list" aria-label="Checks">
            <For each={checks()}>
              {({ says, verdict }) => (
                <li class={verdict}>
                  <span aria-hidden="true">{SIGNS[verdict]}</span> <span class="visually-hidden">{verdict}: </span>
                  {says}
                </li>
              )}
            </For>
          </ul>
          <p>What is sent, in this order:</p>
          <ol class="actions-list" aria-label="Actions">
            <For each={actions()}>
              {({ says, body }) => (
                <li>
                  <b>{says}</b> {done().includes(says) ? "✓ done" : ""}
                  <code>{JSON.stringify(body)}</code>
                </li>
              )}
            </For>
          </ol>
          <p class="note">
            An action that needs the consent of a second operator waits under Approvals; then come back for the rest.
          </p>
          <FaultText fault={act.fault()} />
          <Show
            when={!isAllDone()}
            fallback={
              <p class="good" role="status">
                {text("market")} is listed.{" "}
                <button
                  type="button"
                  class="text-button"
                  onClick={() => {
                    beginAnew();
                    go("markets");
                  }}
                >
                  See the markets
                </button>
              </p>
            }
          >
            <div class="form-row dialog-end">
              <button type="button" class="button" onClick={() => void open(2)}>
                Back
              </button>
              <button
                type="submit"
                class="button primary"
                disabled={act.isBusy() || checks().some(({ verdict }) => verdict === "wrong")}
              >
                List {text("market")}
              </button>
            </div>
          </Show>
        </Show>
      </form>
    </Show>
  );
}

const SIGNS: Readonly<Record<Check["verdict"], string>> = { right: "✓", wrong: "✕", doubtful: "!" };
