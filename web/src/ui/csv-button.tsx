/** Takes a whole list as a file. */
import { createSignal } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import type { PageSource } from "./pages.ts";
import { say } from "./toasts.tsx";
import { download } from "./whole-list.ts";

export function CsvButton(props: { name: string; sources: readonly PageSource[] }) {
  const [isBusy, setIsBusy] = createSignal(false);
  const take = async () => {
    setIsBusy(true);
    try {
      say(await download(props.name, props.sources), "good");
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
    setIsBusy(false);
  };
  return (
    <button
      type="button"
      class="text-button"
      title="All records of this list as a file for spreadsheets"
      disabled={isBusy() || props.sources.length === 0}
      onClick={() => void take()}
    >
      {isBusy() ? "Reading…" : "CSV"}
    </button>
  );
}
