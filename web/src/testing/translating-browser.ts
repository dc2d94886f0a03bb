import { onTestFinished, vi } from "vitest";
import { type FakeTranslation, type FakeTranslationOptions, installFakeTranslation } from "./fake-translation.ts";

/** A browser that can translate, until the test ends. */
export function fakeTranslation(options: FakeTranslationOptions): FakeTranslation {
  // Restored after the test.
  for (const name of ["LanguageDetector", "Translator", "fakeTranslation"]) vi.stubGlobal(name, undefined);
  installFakeTranslation(options);
  if (!window.fakeTranslation) throw new Error("not installed");
  return window.fakeTranslation;
}

/** A site with a translator of its operator, and a browser without one, until the test ends. */
export function serverTranslation(name: string): void {
  vi.stubGlobal("Translator", undefined);
  const meta = Object.assign(document.createElement("meta"), { name: "translator", content: name });
  document.head.append(meta);
  onTestFinished(() => meta.remove());
}
