import { galleryNowMs, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { conversationOf, Inbox } from "@fava/web/testing/message-fixtures.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { holdTimers } from "../held-timers.ts";
import { scene } from "../scene.ts";

/** Panels over a call are dark, as the call is. */
const inbox = new Inbox(() => galleryNowMs);
inbox.add(conversationOf("Bo"), [
  "Hello, are you there? I found the recipe that I told you about.",
  "It needs coconut milk.",
]);

export const callPanelScenes = [
  scene(
    "profile and messages over a call",
    { ...caller, answers: { ...inbox.answers, userInfo: otherUserOf("Bo", { followStatus: 2 }) } },
    async ({ page, said, show, world }) => {
      await holdTimers(page);
      await startSearch(page, said);
      await meetIn(page, world);
      await page.getByRole("button", { name: said("people.profileOf", { name: "Bo" }) }).click();
      const profile = page.getByRole("dialog", { name: "Bo" });
      await profile.getByRole("button", { name: said("other.message") }).waitFor();
      await show("over-call-profile");
      await profile.getByRole("button", { name: said("other.message") }).click();
      await page.getByText("coconut").last().waitFor();
      await show("over-call-messages", { controlsApart: true });
    },
  ),
];
