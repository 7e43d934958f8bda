// Runs before the first paint, as a plain script: the chosen theme must not flash.
{
  const NAME = "allclose:theme";
  const THEMES = ["system", "light", "dark"];
  const root = document.documentElement;

  const chosen = () => {
    try {
      const theme = JSON.parse(localStorage.getItem(NAME) ?? '"system"');
      return THEMES.includes(theme) ? theme : "system";
    } catch {
      return "system";
    }
  };
  const apply = () => {
    const theme = chosen();
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.getElementById("theme");
    const words = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" }[/** @type {"system"} */ (theme)];
    if (button) {
      button.hidden = false;
      button.lastElementChild?.replaceChildren(words);
    }
  };
  apply();
  addEventListener("storage", apply);
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme")?.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length];
      try {
        localStorage.setItem(NAME, JSON.stringify(next));
      } catch {
        // Forbidden storage: the choice lasts as long as the page.
      }
      apply();
    });
  });
}
