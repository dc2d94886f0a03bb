import { createStore } from "zustand";

interface GoogleButton {
  /** Puts Google's own button into a place of the page, while a sign-in waits for a press on it; null otherwise. */
  readonly draw: ((place: HTMLElement) => void) | null;
}

export const googleButton = createStore<GoogleButton>(() => ({ draw: null }));
