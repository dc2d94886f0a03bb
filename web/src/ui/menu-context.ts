import { createContext } from "react";

/** Closes the menu of an item and returns the focus to its button. */
export const MenuClose = createContext<() => void>(() => undefined);
