import { setupI18n, type Messages } from "@lingui/core";
import { useMemo, useSyncExternalStore } from "react";
import type english from "../../locales/en.json";
import { directionOf, pickLanguage, type Language } from "#lib/languages.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Every text of the product, by key; a misspelt key does not compile. */
export type Key = keyof typeof english;
export type MessageValues = Readonly<Record<string, string | number>>;
/** Formats one text in the active language. */
export type Translate = (key: Key, values?: MessageValues) => string;

type Catalog = { default: object };
const loaders: Readonly<Record<Language, () => Promise<Catalog>>> = {
  en: () => import("../../locales/en.json"),
  "zh-CN": () => import("../../locales/zh-CN.json"),
  ar: () => import("../../locales/ar.json"),
  tr: () => import("../../locales/tr.json"),
  id: () => import("../../locales/id.json"),
};

const i18n = setupI18n();
let active: Language = "en";
/** The language asked for last; a slower, older request must not win over it. */
let wanted: Language | null = null;
const listeners = new Set<(language: Language) => void>();

/** The active language; calls to the server send it along. */
export function currentLanguage(): Language {
  return active;
}

/** Formats one text now. Components use `useT`, so that they follow a change of language. */
export const t: Translate = (key, values) => i18n._(key, values);

/** Tells `listener` about every change of language, and answers how to stop (rule I18N-4). */
export function onLanguageChange(listener: (language: Language) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The translate function of the active language; the component renders anew when it changes. */
export function useT(): Translate {
  const language = useLanguage();
  // The function's identity changes with the language, so that memoised children and effects follow too.
  return useMemo(() => translateIn(language), [language]);
}

/** `language` is only the cause of the new function: texts always come from the active language. */
function translateIn(_language: Language): Translate {
  return (key, values) => t(key, values);
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage, currentLanguage);
}

/**
 * Loads a language and switches to it: texts, `lang`, `dir`, title, description and the stored choice (rule I18N-3).
 * Rejects when its texts cannot be loaded; then nothing has changed.
 */
export async function activateLanguage(language: Language, options: { remember: boolean } = { remember: true }) {
  wanted = language;
  const { default: messages } = await loaders[language]();
  if (wanted !== language) return;
  i18n.loadAndActivate({ locale: language, messages: messages as Messages });
  active = language;
  if (options.remember) writeStored("language", language);
  if (typeof document !== "undefined") describeDocument(language);
  for (const listener of listeners) listener(language);
}

/** Activates the stored choice, or the first language of the browser that is on offer. */
export async function activateInitialLanguage(): Promise<void> {
  const stored = readStored("language");
  await activateLanguage(stored ?? pickLanguage(navigator.languages), { remember: false });
}

function describeDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  document.title = t("app.title");
  setMeta('meta[name="description"]', t("app.description"));
  setMeta('meta[property="og:locale"]', language.replace("-", "_"));
}

function setMeta(selector: string, content: string): void {
  document.head.querySelector(selector)?.setAttribute("content", content);
}
