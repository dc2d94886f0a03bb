import { createContext } from "react";

/** How an item of a menu closes it; the focus goes back to the button that opened it. */
export const MenuClose = createContext<() => void>(() => undefined);
