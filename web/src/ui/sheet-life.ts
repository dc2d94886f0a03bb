import { createContext } from "react";

/** Whether the sheet below may stay open; the overlay host turns it off to let the sheet slide away. */
export const SheetLife = createContext(true);
