import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

/** Even an import of a loaded module resolves a few turns later, after the press was drawn. */
export function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loaded: Part | null = null;
  return async () => (loaded ??= await loadWithTimeout(load));
}
