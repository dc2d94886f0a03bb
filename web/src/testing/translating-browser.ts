import { vi } from "vitest";
import { type FakeTranslation, type FakeTranslationOptions, installFakeTranslation } from "./fake-translation.ts";

/** A browser that can translate, until the test ends. */
export function fakeTranslation(options: FakeTranslationOptions): FakeTranslation {
  // Restored after the test.
  for (const name of ["LanguageDetector", "Translator", "fakeTranslation"]) vi.stubGlobal(name, undefined);
  installFakeTranslation(options);
  if (!window.fakeTranslation) throw new Error("not installed");
  return window.fakeTranslation;
}
