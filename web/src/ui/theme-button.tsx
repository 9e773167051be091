import { isDark, setTheme } from "./settings.ts";

export function ThemeButton() {
  return (
    <button
      type="button"
      class="icon-button theme-button"
      aria-label={isDark() ? "Use the light theme" : "Use the dark theme"}
      title={isDark() ? "Light theme" : "Dark theme"}
      onClick={() => setTheme(isDark() ? "light" : "dark")}
    >
      {isDark() ? "☀" : "☾"}
    </button>
  );
}
