import { readdirSync, readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { installStillCamera } from "@fava/web/testing/remote-person.ts";
import { veil } from "@fava/web/testing/veil.ts";
import { desktop, otherPhones, type PageWorld, phone, test } from "../support/fixture-page.ts";
import { wordsOf } from "../support/words.ts";
import { examine, examineState } from "./examine.ts";
import { beforeFailures, FailingFiles, failingFiles, filesOfParts } from "./failing-files.ts";
import { examiningScript, settle } from "./look.ts";
import { taggedScenes } from "./tagged-scenes.ts";
import type { Scene, View } from "./scene.ts";
import { screens } from "./screens.ts";

/** If set, pictures are written to this folder instead of an examination: `npm run gallery`. */
const pictures = process.env["GALLERY_PICTURES"];
/**
 * More than 1: every state is examined like a screen, and files fail. Less: every screen like a state (`test:changed`).
 */
const depth = Number(process.env["TEST_DEPTH"] ?? 1);

// Without pictures the scene itself veils the page.
test.use({ paints: true });

if (pictures === undefined) {
  for (const { scene, tag } of tagged()) {
    const [failing = "", ...further] =
      depth > 1 ? failingFiles.flatMap(([name, files]) => (name === scene.name ? files : [])) : [];
    const play = ({ world }: { world: PageWorld }) =>
      playing(scene, { world, language: "en", show: examineShown, failing });
    const examined = `shows no fault in axe, layout, target size, forced colours and long texts: ${scene.name}`;
    if (failing) {
      test(examined, { tag }, play);
    } else {
      test.describe(() => {
        if (!scene.needsParts) test.use({ offered: { pages: "joined" } });
        test(examined, { tag }, play);
      });
    }
    for (const files of further) {
      test(`shows ${scene.name} after ${files} failed at first`, { tag }, ({ world }) =>
        playing(scene, { world, language: "en", show: () => Promise.resolve(), failing: files }),
      );
    }
  }
  test("fails every style sheet and every chunk in some scene", () => {
    const failing = new Set(failingFiles.flatMap(([, files]) => files.split(" ")));
    expect([...filesOfParts()].filter((file) => !failing.has(file))).toEqual([]);
    const names = new Set(tagged().map(({ scene }) => scene.name));
    expect(failingFiles.map(([name]) => name).filter((name) => !names.has(name))).toEqual([]);
  });
  test("shows every screen to be examined in a scene", () => {
    const folder = new URL("scenes/", import.meta.url);
    const source = readdirSync(folder)
      .map((file) => readFileSync(new URL(file, folder), "utf8"))
      .join("");
    // Some names are composed of a prefix and a word of a list.
    const beginnings = [...source.matchAll(/`([a-z-]+-)\$\{/g)].map(([, beginning = ""]) => beginning);
    const isListed = (word: string) => new RegExp(`[" ]${word}[":]`).test(source);
    const isShown = (name: string) =>
      source.includes(`"${name}"`) ||
      beginnings.some((beginning) => name.startsWith(beginning) && isListed(name.slice(beginning.length)));
    expect([...screens].filter((name) => !isShown(name))).toEqual([]);
  });
} else {
  for (const language of ["en", "ar"] as const) {
    for (const { scene, tag } of tagged()) {
      const show = (page: Page, name: string, view: View) =>
        takePictures(page, { folder: pictures, name, language, view });
      test.describe(() => {
        if (!scene.needsParts) test.use({ offered: { pages: "joined" } });
        test(`${scene.name} in ${language}`, { tag }, ({ world }) => playing(scene, { world, language, show }));
      });
    }
  }
}

function tagged(): { scene: Scene; tag: string[] }[] {
  return taggedScenes.flatMap(({ scenes, tags }) => scenes.map((scene) => ({ scene, tag: tags })));
}

/** Examines a screen as a whole, and any other view as a state of one, unless the depth says otherwise. */
function examineShown(page: Page, name: string, view: View): Promise<void> {
  return depth > 1 || (depth === 1 && screens.has(name)) ? examine(page, name, view) : examineState(page, name, view);
}

interface Playing {
  world: Parameters<Scene["play"]>[0]["world"];
  language: string;
  show: (page: Page, name: string, view: View) => Promise<void>;
  /** Files that fail at the first attempt, separated by spaces. */
  failing?: string;
}

async function playing(scene: Scene, { world, language, show, failing = "" }: Playing): Promise<void> {
  const { before = installStillCamera, ...options } = scene.options();
  const failures = failing ? new FailingFiles(failing) : null;
  if (failures) {
    world.expectErrors(/status of 503/);
    world.guard(failures);
  }
  const page = await world.open({
    locale: language === "en" ? "en-US" : language,
    timezoneId: "UTC",
    nowMs: galleryNowMs,
    ...options,
    before: [
      ...(pictures === undefined ? [veil, examiningScript] : []),
      ...(failures ? beforeFailures : []),
      ...[before].flat(),
    ],
  });
  const shown = new Set<string>();
  await scene.play({
    world,
    page,
    said: wordsOf(language),
    show: async (name, view = {}) => {
      if (shown.has(name)) throw new Error(`${name} was already shown`);
      shown.add(name);
      if (failures) await settle(page);
      await failures?.expectStyled(page, name);
      await show(view.page ?? page, name, view);
    },
  });
  if (!failures) return;
  await failures.expectAllFailed();
  await failures.expectStyled(page, scene.name);
}

/**
 * In both sizes, a call also in those of other phones; in both themes, but Arabic, whose colours are the same, only in
 * the light one.
 */
async function takePictures(
  page: Page,
  { folder, name, language, view }: { folder: string; name: string; language: string; view: View },
): Promise<void> {
  const sizes = { ...(!view.phonesOnly && { desktop }), phone, ...(view.controlsApart && otherPhones) };
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of language === "en" ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settle(page);
      await page.screenshot({ path: `${folder}/${name}.${language}.${size}.${colorScheme}.png` });
    }
  }
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
