/** Whether the account holds long and short side by side. */
import { createResource, createRoot } from "solid-js";
import { user } from "../account/session.ts";
import { get, post } from "../api/client.ts";

interface FuturesSettings {
  readonly settle_switch: 1 | 2;
  readonly position_mode: "one_way" | "hedge";
}

const [settings, { refetch }] = createRoot(() =>
  createResource(
    () => user()?.user_id,
    () => get<FuturesSettings>("/v2/account/futures-market-settings").catch(() => undefined),
  ),
);

export const isHedged = () => user() !== undefined && settings.latest?.position_mode === "hedge";

export async function setHedged(is: boolean): Promise<void> {
  await post("/v2/account/futures-market-settings", { position_mode: is ? "hedge" : "one_way" });
  await refetch();
}
