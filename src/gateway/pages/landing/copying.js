// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* Buttons that copy a text. */
import { at } from "./elements.js";

const SAID_MS = 2_000;

export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
}

async function copy(button) {
  const source = at(button.dataset.copy);
  const said = await toClipboard(source);
  button.textContent = said === COPIED ? "Copied" : "Selected";
  // What a button is called does not change for who hears it.
  const what = button.getAttribute("aria-label").replace(/^Copy /, "");
  at("copied").textContent = said.replace("%", what);
  setTimeout(() => {
    button.textContent = "Copy";
    at("copied").textContent = "";
  }, SAID_MS);
}

const COPIED = "Copied %.";

/** Browsers give the clipboard to pages of localhost and over TLS alone. */
async function toClipboard(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return COPIED;
  } catch {
    getSelection().selectAllChildren(source);
    return "Selected %: your browser copies it with its own keys.";
  }
}
