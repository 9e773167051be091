/** The menu that arranges the trading page. */
import { For } from "solid-js";
import {
  DEALS_PLACES,
  isPreset,
  isShown,
  layout,
  PARTS,
  PRESETS,
  resetSizes,
  takeLayout,
  togglePart,
} from "./layout.ts";

export function LayoutMenu() {
  return (
    <>
      <button
        type="button"
        class="icon-button layout-button"
        popovertarget="layout-menu"
        aria-haspopup="true"
        aria-label="Layout"
        title="Layout"
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M1.5 2.5h13v11h-13zM10 2.5v11M1.5 9.5H10" fill="none" stroke="currentColor" />
        </svg>
      </button>
      <div id="layout-menu" popover="auto" class="menu layout-menu">
        <fieldset class="segments" aria-label="Presets">
          <For each={PRESETS}>
            {([name, preset]) => (
              <button type="button" aria-pressed={isPreset(preset)} onClick={() => takeLayout(preset)}>
                {name}
              </button>
            )}
          </For>
        </fieldset>
        <p class="menu-title">Parts</p>
        <For each={PARTS}>
          {([part, name]) => (
            <label class="check">
              <input type="checkbox" checked={isShown(part)} onChange={() => togglePart(part)} />
              {name}
            </label>
          )}
        </For>
        <p class="menu-title">Latest deals</p>
        <For each={DEALS_PLACES}>
          {([place, name]) => (
            <label class="check">
              <input
                type="radio"
                name="deals-place"
                checked={layout().deals === place}
                onChange={() => takeLayout({ ...layout(), deals: place })}
              />
              {name}
            </label>
          )}
        </For>
        <button type="button" class="menu-end" onClick={resetSizes}>
          Reset the sizes
        </button>
      </div>
    </>
  );
}
