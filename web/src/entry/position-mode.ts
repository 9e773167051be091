/** Whether the account holds long and short side by side, as the venue has it. */
import { createEffect, createRoot, createSignal, on } from "solid-js";
import { user, userId } from "../account/session.ts";
import { get, post } from "../api/client.ts";

export type PositionMode = "one_way" | "hedge";

const [mode, setMode] = createSignal<PositionMode>();

async function read(): Promise<void> {
  const { position_mode } = await get<{ position_mode: PositionMode }>("/v2/account/futures-market-settings");
  setMode(position_mode);
}

createRoot(() => {
  createEffect(
    on(userId, (who) => {
      setMode(undefined);
      if (who !== undefined) read().catch(() => {});
    }),
  );
});

/** Takes over what another answer of the venue says of it. */
export const notePositionMode = setMode;

export const isHedged = () => user() !== undefined && mode() === "hedge";

export async function setHedged(is: boolean): Promise<void> {
  await post("/v2/account/futures-market-settings", { position_mode: is ? "hedge" : "one_way" });
  await read();
}
