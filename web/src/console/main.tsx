import "../style/tokens.css";
import "../style/base.css";
import "../style/controls.css";
import "../style/account.css";
import "../style/console.css";
import { render } from "solid-js/web";
import { waitForActions } from "../api/client.ts";
import "../ui/settings.ts";
import { ConsoleApp } from "./console-app.tsx";

/** A month of a virtual clock takes a minute, a backup of a large log longer. */
const ACTION_MS = 15 * 60_000;

waitForActions(ACTION_MS);
render(() => <ConsoleApp />, document.getElementById("root") as HTMLElement);
