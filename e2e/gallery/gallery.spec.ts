import type { Page } from "@playwright/test";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { installStillCamera } from "@fava/web/testing/remote-person.ts";
import { desktop, phone, test } from "../support/fixture-page.ts";
import { wordsOf } from "../support/words.ts";
import { examine, examineState, settle } from "./examine.ts";
import { callScenes } from "./scenes/call.ts";
import { overCallScenes } from "./scenes/over-call.ts";
import { safetyScenes } from "./scenes/safety.ts";
import { deskPersonScenes } from "./scenes/desk-person.ts";
import { deskReviewScenes } from "./scenes/desk-review.ts";
import { deskScenes } from "./scenes/desk.ts";
import { appealScenes } from "./scenes/appeal.ts";
import { homeScenes } from "./scenes/home.ts";
import { adminScenes } from "./scenes/admin.ts";
import { beanScenes } from "./scenes/beans.ts";
import { meterScenes } from "./scenes/meter.ts";
import { shopScenes } from "./scenes/shop.ts";
import { deviceScenes } from "./scenes/devices.ts";
import { pageScenes } from "./scenes/pages.ts";
import { onboardingScenes } from "./scenes/onboarding.ts";
import { sessionScenes } from "./scenes/session.ts";
import { visitorScenes } from "./scenes/visitor.ts";
import { accountScenes } from "./scenes/account.ts";
import { profileScenes } from "./scenes/profile.ts";
import { messagesScenes } from "./scenes/messages.ts";
import { peopleScenes } from "./scenes/people.ts";
import type { Scene, View } from "./scene.ts";

/** Scenes with the features and the file that they belong to, by which `npm run test:changed` chooses them. */
const rooms: readonly { scenes: readonly Scene[]; tags: string[] }[] = [
  { scenes: visitorScenes, tags: ["@visitor", "@session"] },
  { scenes: onboardingScenes, tags: ["@onboarding", "@profile"] },
  { scenes: homeScenes, tags: ["@home", "@match"] },
  { scenes: deviceScenes, tags: ["@devices", "@device"] },
  { scenes: sessionScenes, tags: ["@session"] },
  { scenes: pageScenes, tags: ["@pages"] },
  { scenes: callScenes, tags: ["@call", "@match"] },
  { scenes: safetyScenes, tags: ["@safety", "@call"] },
  { scenes: overCallScenes, tags: ["@over-call", "@messages"] },
  { scenes: deskScenes, tags: ["@desk"] },
  { scenes: deskPersonScenes, tags: ["@desk-person", "@desk"] },
  { scenes: deskReviewScenes, tags: ["@desk-review", "@desk"] },
  { scenes: appealScenes, tags: ["@appeal"] },
  { scenes: shopScenes, tags: ["@shop"] },
  { scenes: beanScenes, tags: ["@beans"] },
  { scenes: meterScenes, tags: ["@meter", "@call"] },
  { scenes: adminScenes, tags: ["@admin"] },
  { scenes: peopleScenes, tags: ["@people"] },
  { scenes: messagesScenes, tags: ["@messages"] },
  { scenes: profileScenes, tags: ["@profile"] },
  { scenes: accountScenes, tags: ["@account"] },
];

/** With a folder in it, pictures are written there, and nothing is examined: `npm run gallery`. */
const pictures = process.env["GALLERY_PICTURES"];
/** Every state is examined like a screen of its own: `npm run test:deep -- gallery`. */
const isDeep = Number(process.env["TEST_DEPTH"] ?? 1) > 1;

if (pictures === undefined) {
  for (const { scene, tag } of tagged()) {
    test(`[UI-31] [A11Y-20] [A11Y-21] [A11Y-40] [I18N-26] [DEVICE-6] ${scene.name}`, { tag }, ({ world }) =>
      playing(scene, { world, language: "en", show: examining() }),
    );
  }
} else {
  for (const language of ["en", "ar"] as const) {
    for (const { scene, tag } of tagged()) {
      const show = (page: Page, name: string) => takePictures(page, { folder: pictures, name, language });
      test(`[LAYOUT-31] ${scene.name} in ${language}`, { tag }, ({ world }) =>
        playing(scene, { world, language, show }),
      );
    }
  }
}

function tagged(): { scene: Scene; tag: string[] }[] {
  return rooms.flatMap(({ scenes, tags }) => scenes.map((scene) => ({ scene, tag: tags })));
}

/** What a scene shows first, and whatever must fit everywhere, is examined whole; the rest are states of it. */
function examining(): Playing["show"] {
  let isFirst = true;
  return (page, name, view) => {
    const isWhole = isFirst || isDeep || view.inView !== undefined || view.controlsApart === true;
    isFirst = false;
    return isWhole ? examine(page, name, view) : examineState(page, name, view);
  };
}

interface Playing {
  world: Parameters<Scene["play"]>[0]["world"];
  language: string;
  show: (page: Page, name: string, view: View) => Promise<void>;
}

async function playing(scene: Scene, { world, language, show }: Playing): Promise<void> {
  const page = await world.open({
    locale: language === "en" ? "en-US" : language,
    timezoneId: "UTC",
    nowMs: galleryNowMs,
    before: installStillCamera,
    ...scene.options,
  });
  const shown = new Set<string>();
  await scene.play({
    world,
    page,
    said: wordsOf(language),
    show: async (name, view = {}) => {
      if (shown.has(name)) throw new Error(`${name} was shown before`);
      shown.add(name);
      await show(view.page ?? page, name, view);
    },
  });
}

/** At both sizes, in both themes; Arabic, whose colours are the same, in the light one. */
async function takePictures(
  page: Page,
  { folder, name, language }: { folder: string; name: string; language: string },
): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
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
