import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { chunkTimeoutMs } from "@fava/wire/limits.ts";

/** A part of the page could not be loaded: no connection, or a new version has replaced the file (rule ERR-13). */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
}

/**
 * A component that is loaded when it is first shown: within 120 s, with a second try after a failure. The error boundary
 * offers to load the page again when both have failed.
 */
export function lazyWithTimeout<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWithTimeout(load) }));
}

/** @throws ChunkLoadError */
export async function loadWithTimeout<Part>(load: () => Promise<Part>, timeoutMs = chunkTimeoutMs): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`not loaded after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([load().catch(load), tooLate]);
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
