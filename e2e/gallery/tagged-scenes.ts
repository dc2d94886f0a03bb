import { callScenes } from "./scenes/call.ts";
import { coveredScenes } from "./scenes/covered.ts";
import { openCallScenes } from "./scenes/open-call.ts";
import { callPanelScenes } from "./scenes/call-panels.ts";
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
import { noticeScenes } from "./scenes/notice.ts";
import { pageScenes } from "./scenes/pages.ts";
import { onboardingScenes } from "./scenes/onboarding.ts";
import { sessionScenes } from "./scenes/session.ts";
import { visitorScenes } from "./scenes/visitor.ts";
import { accountScenes } from "./scenes/account.ts";
import { profileScenes } from "./scenes/profile.ts";
import { messagesScenes } from "./scenes/messages.ts";
import { peopleScenes } from "./scenes/people.ts";
import { reachScenes } from "./scenes/reach.ts";
import { ringScenes } from "./scenes/rings.ts";
import { translationScenes } from "./scenes/translation.ts";
import type { Scene } from "./scene.ts";

/** Scenes with the features and the file that they belong to, by which `npm run test:changed` selects them. */
export const taggedScenes: readonly { scenes: readonly Scene[]; tags: string[] }[] = [
  { scenes: visitorScenes, tags: ["@visitor", "@session"] },
  { scenes: onboardingScenes, tags: ["@onboarding", "@profile"] },
  { scenes: homeScenes, tags: ["@home", "@match"] },
  { scenes: deviceScenes, tags: ["@devices", "@device"] },
  { scenes: sessionScenes, tags: ["@session"] },
  { scenes: pageScenes, tags: ["@pages"] },
  { scenes: noticeScenes, tags: ["@pages", "@desk"] },
  { scenes: callScenes, tags: ["@call", "@match"] },
  { scenes: openCallScenes, tags: ["@call"] },
  { scenes: coveredScenes, tags: ["@call", "@messages"] },
  { scenes: translationScenes, tags: ["@call", "@messages", "@account"] },
  { scenes: ringScenes, tags: ["@rings", "@people"] },
  { scenes: safetyScenes, tags: ["@safety", "@call"] },
  { scenes: callPanelScenes, tags: ["@call-panels", "@messages"] },
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
  { scenes: reachScenes, tags: ["@reach", "@home", "@call"] },
];
