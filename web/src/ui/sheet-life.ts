import { createContext } from "react";

/** Whether the dialog inside may stay open. The overlay host sets it to false to start the closing animation. */
export const SheetLife = createContext(true);
