/** The row at the top: whose venue, whether it is well, who one is. */
import { createSignal, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { Mark } from "../ui/mark.tsx";
import { ThemeButton } from "../ui/theme-button.tsx";
import { say } from "../ui/toasts.tsx";
import { figure, isHeard } from "./figures.ts";
import { PasskeysDialog } from "./passkeys-dialog.tsx";
import { go } from "./place.ts";
import { SearchField } from "./search.tsx";
import { operator, session, signOut } from "./session.ts";

/** Its token is a file, which no device stands for. */
const ROOT = "root";

export function ConsoleHeader() {
  const [isOpen, setIsOpen] = createSignal(false);
  const health = () => {
    if (!isHeard()) return { tone: "lost", words: "Not reached" };
    if (figure("bourse_invariant_breaches") > 0) return { tone: "lost", words: "An invariant is broken" };
    if (figure("bourse_cancel_only") > 0) return { tone: "connecting", words: "Cancels only" };
    return { tone: "open", words: "Serving" };
  };
  return (
    <header class="header console-header">
      <a
        class="mark"
        href="/"
        aria-label="bourse console, overview"
        onClick={(event) => {
          event.preventDefault();
          go("overview");
        }}
      >
        <Mark />
        <span class="mark-word">bourse</span> <span class="console-word">console</span>
      </a>
      <Show when={session()?.profile === "dev"}>
        <span class="tag warning">dev</span>
      </Show>
      <SearchField />
      <div class="header-end">
        <span class={`connection ${health().tone}`} role="status">
          <i aria-hidden="true" />
          <span>{health().words}</span>
        </span>
        <ThemeButton />
        <span class="who">
          <b>{operator()?.name}</b> <span class="quiet">{operator()?.role}</span>
        </span>
        <Show when={operator()?.name !== ROOT}>
          <button type="button" class="button small" onClick={() => setIsOpen(true)}>
            Passkeys
          </button>
        </Show>
        <Show when={isOpen()}>
          <PasskeysDialog onClose={() => setIsOpen(false)} />
        </Show>
        <button
          type="button"
          class="button small"
          onClick={() => void signOut().catch((error: unknown) => say(sentenceOf(error), "bad"))}
        >
          Sign out
        </button>
      </div>
    </header>
  );
}
