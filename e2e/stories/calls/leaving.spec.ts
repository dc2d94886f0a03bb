import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { framesDecoded, remoteVideo } from "../../support/media.ts";
import {
  callScreen,
  expectCallState,
  expectLeftBy,
  expectTogether,
  meet,
  startChat,
  test,
} from "../../support/people.ts";
import { words, wordsIn } from "../../support/words.ts";

test(
  "[MATCH-3] lets a user switch camera and microphone, press Next, meet again, and search after the partner closes the page",
  { tag: "@firefox-deep" },
  async ({ person, partner }) => {
    test.setTimeout(240_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Waits" }), partner({ name: "Bo Closes" })]);
    await meet(ana, bo);

    await test.step("shows the partner the camera and microphone switches", async () => {
      const camera = callScreen(ana).getByRole("button", { name: words("home.camMute") });
      const microphone = callScreen(ana).getByRole("button", { name: words("home.micMute") });
      await camera.click();
      await expect(camera).toHaveAttribute("aria-pressed", "true");
      await expect(bo.getByText(words("call.cameraOff", { name: "Ana Waits" }))).toBeVisible();
      await expect(remoteVideo(bo)).toBeHidden();
      await microphone.click();
      await expect(bo.getByText(words("call.micOff"))).toBeVisible();
      const seen = await framesDecoded(ana);
      await expect.poll(() => framesDecoded(ana)).toBeGreaterThan(seen + 5);
      await camera.click();
      await microphone.click();
      await expect(bo.getByText(words("call.cameraOff", { name: "Ana Waits" }))).toBeHidden();
      await expect(bo.getByText(words("call.micOff"))).toBeHidden();
      await expectTogether(ana, bo);
    });

    await test.step("searches on Next, tells the partner, who searches too, and matches both again", async () => {
      // The first press may come in the moment in which Next is ignored.
      await expect(async () => {
        await ana.keyboard.press("ArrowRight");
        await expect(callScreen(ana)).toHaveAttribute("data-status", "searching", { timeout: 500 });
      }).toPass();
      await expectLeftBy(bo, "Ana Waits");
      await expectTogether(ana, bo);
      for (const page of [ana, bo]) expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(2);
      expect(framesOf(bo).pushes(pushCodes.otherLeft)).toHaveLength(1);
    });

    // For twelve seconds they may return; then the partner searches by itself, can still act on them, and meets the next
    // user.
    await bo.close();
    await expect(ana.getByRole("heading", { name: words("openCall.may", { name: "Bo Closes" }) })).toBeVisible();
    await expectCallState(ana, "in-call");
    await expect(callScreen(ana)).toHaveAttribute("data-status", "searching", { timeout: 20_000 });
    await expectLeftBy(ana, "Bo Closes");
    const follow = ana.getByRole("button", { name: `${wordsIn("en", "people.follow")} Bo Closes` });
    await follow.click();
    await expect(ana.getByRole("button", { name: `${wordsIn("en", "people.following")} Bo Closes` })).toBeVisible();
    await ana.getByRole("button", { name: `${wordsIn("en", "people.meet")} Bo Closes` }).click();
    await expect(ana.getByRole("button", { name: `${wordsIn("en", "people.asked")} Bo Closes` })).toBeVisible();
    await expect(ana.getByRole("button", { name: `${wordsIn("en", "msg.report")} Bo Closes` })).toBeVisible();
    await expect(callScreen(ana).getByLabel(words("call.you")).locator("video")).toBeVisible();
    const theo = await person({ name: "Theo Comes" });
    await startChat(theo);
    await expectTogether(ana, theo);
  },
);
