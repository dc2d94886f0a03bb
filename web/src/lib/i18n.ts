import { setupI18n, type Messages } from "@lingui/core";
import { useMemo, useSyncExternalStore } from "react";
import type english from "../../locales/en.json";
import { describe, setLocale } from "#lib/document-head.ts";
import { loadFormats } from "#lib/intl.ts";
import { directionOf, initialLanguage, type Language } from "#lib/languages.ts";
import { isShellCurrent } from "#lib/shell.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** The key of a text in the catalogs; a misspelt key does not compile. */
export type Key = keyof typeof english;
export type MessageValues = Readonly<Record<string, string | number>>;
/** Formats one text in the active language. */
export type Translate = (key: Key, values?: MessageValues) => string;

/** The shape that `web/vite/compiled-messages.ts` makes of a catalog. */
interface Catalog {
  /** The texts of the home screen. */
  default: Messages;
  /** The texts for the parts of the page that are loaded later. */
  later: () => Promise<{ default: Messages }>;
  /** The icebreaker questions, which only a call needs. */
  questions: () => Promise<{ default: Messages }>;
  /** The answers of the two-choice questions, which only a call with such a question needs. */
  choices: () => Promise<{ default: Messages }>;
}

const catalogs = import.meta.glob<Catalog>("../../locales/*.json", { query: "?first" });

const i18n = setupI18n();
let active: Language = "en";
/** The language that was requested last; an older, slower request must not override it. */
let wanted: Language | null = null;
/** Resolves when the texts of the later parts of the page are loaded; null: not requested yet. */
let later: Promise<void> | null = null;
const listeners = new Set<(language: Language) => void>();

/** The active language; requests to the server carry it. */
export function currentLanguage(): Language {
  return active;
}

/** Formats one text now. Components use `useT`, which follows a change of language. */
export const t: Translate = (key, values) => i18n._(key, values);

/** Calls `listener` on every change of language; returns how to unsubscribe. */
export function onLanguageChange(listener: (language: Language) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The translate function of the active language; the component renders again when it changes. */
export function useT(): Translate {
  const language = useLanguage();
  // A new function per language, so that memoised children and effects follow.
  return useMemo(() => translateIn(language), [language]);
}

/** `language` only changes the identity of the function: texts always come from the active language. */
function translateIn(_language: Language): Translate {
  return (key, values) => t(key, values);
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage, currentLanguage);
}

/**
 * Loads a language and activates it: texts, `lang`, `dir`, title, description and the stored choice. Rejects without
 * any change when the texts cannot be loaded.
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

/** Activates the language of a first visit, for the home screen, without storing it. */
export async function activateInitialLanguage(): Promise<void> {
  const stored = readStored("language");
  const language = initialLanguage({ stored, search: location.search, preferred: navigator.languages });
  wanted = language;
  const { default: messages } = await catalog(language).catch(() => catalog(language));
  i18n.load(language, messages);
  become(language);
}

/** The texts of everything that is loaded later: a lazily loaded part waits for them as well. */
export function loadLazyTexts(): Promise<void> {
  later ??= loadLater(active).catch((error: unknown) => {
    // The next caller tries again.
    later = null;
    throw error;
  });
  return later;
}

/** Loads the icebreaker questions of a language. Rejects when that fails; the next call tries again. */
export async function loadIcebreakers(language: Language): Promise<void> {
  const { questions } = await catalog(language);
  i18n.load(language, (await questions()).default);
}

/** The same for the answers of the two-choice questions. */
export async function loadTwoChoices(language: Language): Promise<void> {
  const { choices } = await catalog(language);
  i18n.load(language, (await choices()).default);
}

/** Texts of languages that are only quoted; at most one entry per offered language. */
const quoted = new Map<Language, Promise<Translate>>();

/**
 * The texts of another language without activating it: the desk shows a statement in the words that its recipient will
 * read. Rejects when they cannot be loaded; the next call tries again.
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

/** Loads the catalog of a language, together with its number and date formats. */
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
  // A prerendered page has these elements already.
  if (isShellCurrent()) return;
  document.title = t("app.title");
  describe(t("app.description"));
  setLocale(language);
}
