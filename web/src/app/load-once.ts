import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

/** Even an import of what is there already comes back a few turns later, and the press is drawn before that. */
export function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loaded: Part | null = null;
  return async () => (loaded ??= await loadWithTimeout(load));
}
