/** The console as a whole: the way in, or the areas with the one that is open. */
import { createEffect, Match, Switch } from "solid-js";
import { Toasts } from "../ui/toasts.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { AreaPage } from "./area-page.tsx";
import { ConsoleHeader } from "./console-header.tsx";
import { readNames } from "./names.ts";
import { Rail } from "./rail.tsx";
import { operator, readSession, session } from "./session.ts";
import { SignInPage } from "./sign-in-page.tsx";

const RETRY_MS = 2_000;

function readSoon(): void {
  readSession().catch(() => setTimeout(readSoon, RETRY_MS));
}

export function ConsoleApp() {
  readSoon();
  createEffect(() => {
    if (operator() !== undefined) readNames().catch(() => {});
  });
  return (
    <>
      <Switch>
        <Match when={session() === undefined}>
          <main class="gate">
            <h1 class="visually-hidden">Operator's console</h1>
            <p role="status">Loading your session…</p>
          </main>
        </Match>
        <Match when={operator() === undefined}>
          <SignInPage />
        </Match>
        <Match when={operator()}>
          <ConsoleHeader />
          <div class="account console">
            <Rail />
            <AreaPage />
          </div>
          <ActDialog />
        </Match>
      </Switch>
      <Toasts />
    </>
  );
}
