import { createStore } from "zustand";

interface GoogleButton {
  /** Draws Google's own button into an element, while a sign-in waits for a press on it; null otherwise. */
  readonly draw: ((place: HTMLElement) => void) | null;
}

export const googleButton = createStore<GoogleButton>(() => ({ draw: null }));
