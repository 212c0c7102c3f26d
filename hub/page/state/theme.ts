/** The colors that somebody chose. */
export type Theme = "system" | "light" | "dark";

const key = "theme";

/** The theme that was chosen on this device. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Shows the page in a theme, and keeps the choice on this device. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme();
}

/** Shows the page in the theme that was chosen. */
export function showTheme(): void {
  document.documentElement.dataset["theme"] = chosenTheme();
}
