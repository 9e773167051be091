import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/trade.css";
import "./style/account.css";
import { render } from "solid-js/web";
import { App } from "./app.tsx";
import "./ui/settings.ts";

render(() => <App />, document.getElementById("root") as HTMLElement);
