/** `bourse replay-market`: plays a recorded market into a running dev venue, as orders of background traders. */
import { gunzipSync } from "node:zlib";
import { AdminClient, type VenueOptions } from "../../cli/admin-client.ts";
import { CliError, EXIT } from "../../cli/exit.ts";
import { print } from "../../cli/output.ts";
import { readNamedFile } from "../../log/plain-file.ts";
import { BackgroundTraders } from "../replay/background-traders.ts";
import { type Grid, textOf, unitsOf } from "../replay/grid.ts";
import { playRows } from "../replay/play.ts";
import { mergeRecordings, parseRecording, RecordingError } from "../replay/recording.ts";
import { type Key, ReplayRefused, VenueFloor } from "../replay/venue-floor.ts";

export interface ReplayOptions extends VenueOptions {
  readonly market: string;
  readonly api: string;
  readonly on?: string;
  readonly speed: number;
  readonly step?: boolean;
}

/** The funds that each half of the background traders has of every asset that the market moves. */
const FUNDS = "50000000";
/** Who the index prices come from. */
const SOURCE = "recording";
/** All of it is held at once, as rows. */
const FILE_MIB_MAX = 256;

export async function replay(files: readonly string[], options: ReplayOptions): Promise<void> {
  try {
    const rows = mergeRecordings(files.map((file) => parseRecording(textIn(file), file)));
    if (rows.length === 0) throw new RecordingError("There is nothing in the recording.");
    const admin = AdminClient.of(options.on === undefined ? options : { ...options, admin: options.on });
    const status = await admin.call("GET", "/admin/status");
    if (status["profile"] !== "dev") throw new CliError("Recordings are played into dev venues only.");
    const { grid, ccys } = await marketOf(options);
    const [resting, taking] = [await member(admin, "crowd-resting", ccys), await member(admin, "crowd-taking", ccys)];
    const { market, api: url } = options;
    const floor = new VenueFloor({ url, market, grid, resting, taking });
    // What an earlier replay left would stand in nobody's count.
    await floor.clear();
    const traders = new BackgroundTraders(floor, grid);
    await playRows(rows, traders, {
      speed: options.speed,
      advance:
        options.step === true
          ? async (ms) => void (await admin.call("POST", "/admin/clock", { advance_ms: ms }))
          : undefined,
      onMiddle: async (ticks) => {
        const price = textOf(ticks, grid.priceDecimals);
        await admin.call("POST", "/admin/index-prices", { market, sources: [{ exchange: SOURCE, price }] });
      },
    });
    print({ market, records: rows.length, ...traders.counts }, options.json);
  } catch (error) {
    if (error instanceof RecordingError) throw new CliError(error.message, { exitCode: EXIT.usage, cause: error });
    if (error instanceof ReplayRefused) throw new CliError(error.message, { cause: error });
    throw error;
  }
}

function textIn(file: string): string {
  const bytes = readNamedFile(file, FILE_MIB_MAX);
  if (!file.endsWith(".gz")) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes, { maxOutputLength: FILE_MIB_MAX * 2 ** 20 }).toString("utf8");
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    const what = isTooLarge ? `unpacks to more than ${FILE_MIB_MAX} MiB: split it` : "is not packed by gzip";
    throw new CliError(`The file ${file} ${what}.`, { exitCode: EXIT.usage, cause });
  }
}

/** How the market counts, and what is needed to trade in it. */
async function marketOf({ api, market }: ReplayOptions): Promise<{ grid: Grid; ccys: readonly string[] }> {
  const response = await fetch(`${api}/v2/spot/market?market=${encodeURIComponent(market)}`);
  const { code, data } = (await response.json()) as { code: number; data: Readonly<Record<string, string>>[] };
  const found = data?.[0];
  if (code !== 0 || found === undefined) throw new CliError(`There is no spot market ${market} at ${api}.`);
  const amountDecimals = Number(found["base_ccy_precision"]);
  const minLots = unitsOf(found["min_amount"] as string, amountDecimals) ?? 1n;
  const grid = { priceDecimals: Number(found["quote_ccy_precision"]), amountDecimals, minLots };
  return { grid, ccys: [found["base_ccy"] as string, found["quote_ccy"] as string] };
}

/** One half of the background traders, made at the first replay: without fees, and with more than it can spend. */
async function member(admin: AdminClient, name: string, ccys: readonly string[]): Promise<Key> {
  // The same reference gives the same user again.
  const { user_id } = await admin.call("POST", "/admin/users", { name, reference: name });
  await admin.call("POST", `/admin/users/${user_id}`, { maker_fee_rate: "0", taker_fee_rate: "0" });
  const note = "funds of background traders of a recorded market";
  for (const ccy of ccys) {
    const reference = `${name} ${ccy}`;
    await admin.call("POST", "/admin/deposits", { user_id, ccy, amount: FUNDS, note, reference });
  }
  const { access_id, secret_key } = await admin.call("POST", "/admin/api-keys", { user_id });
  return { accessId: access_id as string, secret: secret_key as string };
}
