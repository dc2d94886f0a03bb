import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

/**
 * Returns a loaded part in the same turn, because even an import of a loaded module resolves only after the browser has
 * drawn the press.
 */
export function loadOnce<Part>(load: () => Promise<Part>, loadTexts?: () => Promise<void>): () => Promise<Part> {
  let loaded: Part | null = null;
  return async () => (loaded ??= await loadWithTimeout(load, loadTexts));
}
