import { expect } from "@playwright/test";
import { ana, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { scene } from "../scene.ts";

export const callScenes = [
  scene(
    "a search and a call",
    { as: { ...ana, credit5: 48_200 }, devices: "allowed", answers: { userInfo: otherUserOf("Bo") } },
    async ({ page, said, show, world }) => {
      await page.getByRole("button", { name: said("home.start") }).click();
      await page.getByRole("button", { name: said("rules.ok") }).click();
      await show("searching", { controlsApart: true });
      const roomId = await world.match(page);
      await expect(page.locator("[data-match-state]")).toHaveAttribute("data-status", "in-call");
      world.server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
      world.server.socket.chat(roomId, "Hello! Where are you?");
      await page.getByText("Where are you").first().waitFor();
      await show("in-call", { controlsApart: true });
    },
  ),
];
