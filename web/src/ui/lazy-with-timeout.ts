import { type ComponentType, createElement, lazy, type ReactNode, useState } from "react";
import { chunkTimeoutMs } from "@fava/wire/limits.ts";
import { loadLazyTexts } from "#lib/i18n.ts";

/** A part of the page could not be loaded: no connection, or a new version has replaced the file. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  /** React caches a failure: after this call the next component that shows the part loads it again. */
  forget: () => void = () => undefined;
}

export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads the part before it is shown, so that it appears without a fallback. */
  preload: () => Promise<void>;
}

/**
 * A component that is loaded when it is first shown: within 120 s, with a second attempt after a failure. The error
 * boundary offers a reload when both have failed.
 */
export function lazyWithTimeout<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loadTexts = loadLazyTexts,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  const keep = async () => (loaded ??= await loadWithTimeout(load, loadTexts));
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
    // React delays a suspended component by 300 ms, even one that was loaded long before.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Later);
    return createElement(Shown, props);
  }
  return Object.assign(Part, { preload: async () => void (await keep()) });
}

/** For a part that shows only texts of the first load. */
export const noTexts = () => Promise.resolve();

/**
 * Loads a part of the page with its texts, by default those of all lazily loaded parts.
 *
 * @throws ChunkLoadError
 */
export async function loadWithTimeout<Part>(load: () => Promise<Part>, loadTexts = loadLazyTexts): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`not loaded after ${chunkTimeoutMs} ms`)), chunkTimeoutMs);
  });
  try {
    const [part] = await Promise.race([Promise.all([load().catch(load), loadTexts().catch(loadTexts)]), tooLate]);
    return part;
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
