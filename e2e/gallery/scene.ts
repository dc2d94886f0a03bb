import type { Locator, Page } from "@playwright/test";
import type { OpenOptions, PageWorld } from "../support/fixture-page.ts";
import type { Words } from "../support/words.ts";

/** A way through the product that shows screens and states, each before fixtures instead of a server. */
export interface Scene {
  readonly name: string;
  /** Made for each play, because what answers may remember what it was told. */
  readonly options: () => OpenOptions;
  readonly play: (stage: Stage) => Promise<void>;
  /** It is about how parts of the page are fetched. */
  readonly needsParts?: boolean;
}

export interface Stage {
  readonly world: PageWorld;
  /** Opened with the scene's options. */
  readonly page: Page;
  /** What the page says for a key, in the language in which the scene is played. */
  readonly said: Words;
  /** Shows what is on the page now, under a name that is its own in the whole gallery: it is examined, or pictured. */
  readonly show: (name: string, view?: View) => Promise<void>;
}

/** What is special about a view. */
export interface View {
  /** Another page than the scene's own. */
  page?: Page;
  /** Controls that are seen without scrolling at every size. */
  inView?: readonly Locator[];
  /** No control lies over another one, and all are in the window. */
  controlsApart?: boolean;
  /** A desktop has none of it. */
  phonesOnly?: boolean;
  /** Not examined: paper has no windows, and no fingers to press it. */
  pictureOnly?: boolean;
}

export function scene(name: string, options: OpenOptions | (() => OpenOptions), play: Scene["play"]): Scene {
  return { name, options: typeof options === "function" ? options : () => options, play };
}

/** The scene with the pages as they are built: each part in a file of its own. */
export function withParts(one: Scene): Scene {
  return { ...one, needsParts: true };
}
