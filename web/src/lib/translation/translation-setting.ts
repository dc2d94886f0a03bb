import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { hasBrowserTranslator, type TranslatingBrowser } from "./browser-translator.ts";
import { serverTranslator } from "./server-translator.ts";

/** Whether lines and messages in other languages are translated. */
const store = createChoiceStore(() => ({ isOn: readStored("translateTexts") !== 0 }));

export function useIsTranslating(): boolean {
  return useStore(store, ({ isOn }) => isOn);
}

/** Stores the choice on this device. */
export function setTranslating(isOn: boolean): void {
  writeStored("translateTexts", isOn ? 1 : 0);
  store.setState({ isOn });
}

/** Whether anything can translate texts here. */
export function canTranslate(): boolean {
  return hasBrowserTranslator(globalThis as TranslatingBrowser) || serverTranslator() !== null;
}
