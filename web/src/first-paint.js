// Runs before anything is drawn, so that the first frame has the chosen colours. The settings of the page take over.
(() => {
  /** @type {(name: string, usual: string) => string} */
  const kept = (name, usual) => localStorage.getItem(`bourse.${name}`) ?? usual;
  const theme = kept("theme", "system");
  const isDark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  Object.assign(document.documentElement.dataset, {
    theme: isDark ? "dark" : "light",
    colours: kept("colours", "green-up"),
    density: kept("density", "comfortable"),
  });
})();
