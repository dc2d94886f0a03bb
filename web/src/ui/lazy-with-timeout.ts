import { type ComponentType, createElement, lazy, type ReactNode, useState } from "react";
import { chunkTimeoutMs } from "@fava/wire/limits.ts";
import { laterTexts } from "#lib/i18n.ts";

/** A part of the page could not be loaded: no connection, or a new version has replaced the file. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  /** React remembers a failure for good: after this, whoever shows the part next loads it anew. */
  forget: () => void = () => undefined;
}

export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads it before it is shown; it then appears at once, without the moment in which nothing stands in its place. */
  preload: () => Promise<void>;
}

/**
 * A component that is loaded when it is first shown: within 120 s, with a second try after a failure. The error boundary
 * offers to load the page again when both have failed.
 */
export function lazyWithTimeout<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  const keep = async () => (loaded ??= await loadWithTimeout(load));
  const later = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return { default: await keep() };
      } catch (error) {
        if (error instanceof ChunkLoadError) error.forget = () => void (Later = later());
        throw error;
      }
    });
  let Later = later();
  function Part(props: Props): ReactNode {
    // React waits 300 ms after anything that was not there in time, even for what has arrived long before.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Later);
    return createElement(Shown, props);
  }
  return Object.assign(Part, { preload: async () => void (await keep()) });
}

/** Loads a part of the page, and the texts of all that is loaded later. @throws ChunkLoadError */
export async function loadWithTimeout<Part>(load: () => Promise<Part>, timeoutMs = chunkTimeoutMs): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`not loaded after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const [part] = await Promise.race([Promise.all([load().catch(load), laterTexts().catch(laterTexts)]), tooLate]);
    return part;
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
