import { createStore, useStore } from "zustand";
import { readStored, writeStored, type Stored } from "#lib/storage.ts";

/** `auto` follows the system. */
export type Theme = Stored<"theme">;
export const themes = ["auto", "light", "dark"] as const satisfies readonly Theme[];

const store = createStore<Theme>(() => readStored("theme") ?? "auto");

/** Applies the stored theme to the page; called before the first render. */
export function applyTheme(): void {
  const theme = store.getState();
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(theme: Theme): void {
  writeStored("theme", theme);
  store.setState(theme, true);
  applyTheme();
}

export function useTheme(): Theme {
  return useStore(store);
}
