import { setupI18n, type Messages } from "@lingui/core";
import { useMemo, useSyncExternalStore } from "react";
import type english from "../../locales/en.json";
import { describe, setLocale } from "#lib/document-head.ts";
import { loadFormats } from "#lib/intl.ts";
import { directionOf, initialLanguage, type Language } from "#lib/languages.ts";
import { shellFits } from "#lib/shell.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Every text of the product, by key; a misspelt key does not compile. */
export type Key = keyof typeof english;
export type MessageValues = Readonly<Record<string, string | number>>;
/** Formats one text in the active language. */
export type Translate = (key: Key, values?: MessageValues) => string;

/** As `web/vite/compiled-messages.ts` makes it of a catalog. */
interface Catalog {
  /** The texts of the home screen. */
  default: Messages;
  /** Those that come with the first part of the page that is loaded later. */
  later: () => Promise<{ default: Messages }>;
  /** Questions to begin with, which only a call needs. */
  questions: () => Promise<{ default: Messages }>;
}

const catalogs = import.meta.glob<Catalog>("../../locales/*.json", { query: "?first" });

const i18n = setupI18n();
let active: Language = "en";
/** The language asked for last; a slower, older request must not win over it. */
let wanted: Language | null = null;
/** Null: nobody has asked for them. */
let later: Promise<void> | null = null;
const listeners = new Set<(language: Language) => void>();

/** The active language; calls to the server send it along. */
export function currentLanguage(): Language {
  return active;
}

/** Formats one text now. Components use `useT`, so that they follow a change of language. */
export const t: Translate = (key, values) => i18n._(key, values);

/** Tells `listener` about every change of language, and answers how to stop. */
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
 * Loads a language and switches to it: texts, `lang`, `dir`, title, description and the stored choice.
 * Rejects when its texts cannot be loaded; then nothing has changed.
 */
export async function activateLanguage(language: Language, options: { remember: boolean } = { remember: true }) {
  wanted = language;
  const texts = await allTexts(language);
  if (wanted !== language) return;
  i18n.load(language, texts);
  later = Promise.resolve();
  become(language);
  if (options.remember) writeStored("language", language);
}

/** Activates the language of a first visit, for the home screen. Nothing of it is remembered. */
export async function activateInitialLanguage(): Promise<void> {
  const stored = readStored("language");
  const language = initialLanguage({ stored, search: location.search, preferred: navigator.languages });
  wanted = language;
  const { default: messages } = await catalog(language).catch(() => catalog(language));
  i18n.load(language, messages);
  become(language);
}

/** The texts of everything that is loaded later: whoever loads a part of the page waits for them as well. */
export function laterTexts(): Promise<void> {
  later ??= loadLater(active).catch((error: unknown) => {
    // Whoever comes next tries again.
    later = null;
    throw error;
  });
  return later;
}

/** Loads the questions to begin with of a language. Rejects where they do not come; the next call then tries again. */
export async function loadQuestions(language: Language): Promise<void> {
  const { questions } = await catalog(language);
  i18n.load(language, (await questions()).default);
}

/** Texts of languages that are only quoted; at most one an offered language. */
const quoted = new Map<Language, Promise<Translate>>();

/**
 * The texts of another language without switching to it: the desk shows a person's statement in the words that the
 * person will read. Rejects when they cannot be loaded; the next call then tries again.
 */
export function textsIn(language: Language): Promise<Translate> {
  const known = quoted.get(language);
  if (known) return known;
  const loading = loadQuoted(language);
  quoted.set(language, loading);
  loading.catch(() => quoted.delete(language));
  return loading;
}

async function loadQuoted(language: Language): Promise<Translate> {
  const texts = setupI18n();
  texts.loadAndActivate({ locale: language, messages: await allTexts(language) });
  return (key, values) => texts._(key, values);
}

async function loadLater(language: Language): Promise<void> {
  const { later } = await catalog(language);
  i18n.load(language, (await later()).default);
}

async function allTexts(language: Language): Promise<Messages> {
  const first = await catalog(language);
  const rest = await first.later();
  return { ...first.default, ...rest.default };
}

/** The catalog of a language, whose numbers and dates can be written afterwards as well. */
async function catalog(language: Language): Promise<Catalog> {
  const load = catalogs[`../../locales/${language}.json`];
  if (!load) throw new Error(`no catalog for ${language}`);
  const [texts] = await Promise.all([load(), loadFormats(language)]);
  return texts;
}

function become(language: Language): void {
  i18n.activate(language);
  active = language;
  if (typeof document !== "undefined") describeDocument(language);
  for (const listener of listeners) listener(language);
}

function describeDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  // A page that the server has sent with its words says already what it is.
  if (shellFits()) return;
  document.title = t("app.title");
  describe(t("app.description"));
  setLocale(language);
}
