import { createContext } from "react";

/** Whether the dialog below may stay open; the overlay host sets it to false to start the closing animation. */
export const SheetLife = createContext(true);
