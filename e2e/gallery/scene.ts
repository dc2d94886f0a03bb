import type { Locator, Page } from "@playwright/test";
import type { OpenOptions, PageWorld } from "../support/fixture-page.ts";
import type { Words } from "../support/words.ts";

/** A walk through the product that shows screens and states, with fixtures as its server. */
export interface Scene {
  readonly name: string;
  /** Created for each play, because responses may be stateful. */
  readonly options: () => OpenOptions;
  readonly play: (stage: Stage) => Promise<void>;
  /** It needs the separate chunks of the build. */
  readonly needsParts?: boolean;
}

export interface Stage {
  readonly world: PageWorld;
  /** Opened with the scene's options. */
  readonly page: Page;
  /** The text of a key in the language of the scene. */
  readonly said: Words;
  /** Shows the current page under a name that is unique in the gallery: it is examined or photographed. */
  readonly show: (name: string, view?: View) => Promise<void>;
}

/** Options of a view. */
export interface View {
  /** A page other than the scene's own. */
  page?: Page;
  /** Controls that must be visible without scrolling at every size. */
  inView?: readonly Locator[];
  /** No controls overlap, and all are in the window. */
  controlsApart?: boolean;
  /** Does not exist on a desktop. */
  phonesOnly?: boolean;
  /** Not examined: a printed page has no windows and no touch targets. */
  pictureOnly?: boolean;
}

export function scene(name: string, options: OpenOptions | (() => OpenOptions), play: Scene["play"]): Scene {
  return { name, options: typeof options === "function" ? options : () => options, play };
}

/** The scene with the pages as built: each chunk in its own file. */
export function withParts(one: Scene): Scene {
  return { ...one, needsParts: true };
}
