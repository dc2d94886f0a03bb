import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { befriend } from "./support/friends.ts";
import { bubbles, panel, write } from "./support/messages-panel.ts";
import { callScreen, expectCallState, expectHome, expectTogether, meet, test } from "./support/people.ts";
import { words } from "./support/words.ts";

test.setTimeout(180_000);

/** On a desk, Escape goes from the field to the list first, and lets the thread go after that. */
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 }, steps: 3 },
  phone: { viewport: { width: 390, height: 844 }, steps: 2 },
} as const;

for (const [size, { viewport, steps }] of Object.entries(sizes)) {
  test(`[MSG-84] messages opened over a call leave it going, and Escape closes them alone (${size})`, async ({
    person,
  }) => {
    const [ana, bo] = await Promise.all([person({ name: `Ana ${size}` }), person({ name: `Bo ${size}` })]);
    await meet(ana, bo);
    await befriend(ana, bo);
    await ana.setViewportSize(viewport);
    await openMessages(ana, `Bo ${size}`);
    await write(ana, "sent from within the call");
    await expect(bubbles(ana)).toHaveText(["sent from within the call"]);
    await ana.screenshot({ path: `test-results/screens/messages-over-call-${size}.png` });
    const { violations } = await new AxeBuilder({ page: ana }).analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
    // The keys of the call are those of what lies on top.
    await panel(ana).press("ArrowRight");
    await expectCallState(ana, "in-call");
    // One who is in a call with somebody has nothing to meet them again for.
    await expect(panel(ana).getByRole("button", { name: words("people.meet") })).toHaveCount(0);

    await panel(ana).getByRole("textbox").focus();
    for (let presses = 0; presses < steps; presses += 1) {
      await expect(panel(ana)).toBeVisible();
      await ana.keyboard.press("Escape");
      await expectCallState(ana, "in-call");
    }
    await expect(panel(ana)).toBeHidden();
    await expectTogether(ana, bo);
    await expect(callScreen(ana)).toBeVisible();
    await ana.keyboard.press("Escape");
    await expectHome(ana);
  });
}

test("[MSG-84] messages over a call stay when the call goes on with somebody else, and lie at home when it ends", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Stays" }), person({ name: "Bo Goes" })]);
  await meet(ana, bo);
  await befriend(ana, bo);
  await openMessages(ana, "Bo Goes");
  await bo.getByRole("button", { name: words("call.end") }).click();
  await expectCallState(ana, "searching");
  await expect(panel(ana).getByRole("textbox")).toBeVisible();
  await write(ana, "you left");
  await expect(bubbles(ana)).toHaveText(["you left"]);
});

/** From the call: the profile of the other, and from there the messages. */
async function openMessages(page: Page, name: string): Promise<void> {
  await callScreen(page)
    .getByRole("button", { name: words("people.profileOf", { name }) })
    .click();
  await page
    .getByRole("dialog", { name })
    .getByRole("button", { name: words("other.message") })
    .click();
  await expect(panel(page).getByRole("textbox")).toBeVisible();
}
