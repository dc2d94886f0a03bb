import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { personOf } from "#testing/fixtures.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { expectBubbles, openMessages, openWith, panel } from "#testing/messages-steps.ts";
import type { PageOptions } from "#testing/open-page.tsx";
import { peoplePage } from "#testing/people-fixtures.ts";

const friendOf = (name: string, presence: "online" | "offline") => personOf(name, { followStatus: 2, presence });
const faces = () => page.getByRole("list", { name: t("msg.pick.lead") }).getByRole("button");

/** Opens Ana's messages with two friends, in no conversation. */
async function openInbox(answers: Answers, options: Pick<PageOptions, "window"> = {}) {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["hello"]);
  inbox.add(conversationOf("Cleo"), ["good morning"]);
  const server = await openWith(inbox, { answers, ...options });
  await openMessages();
  return server;
}

test("offers friends beside the list, those online first, and opens a conversation", async () => {
  await openInbox({ friendList: peoplePage([friendOf("Bo", "offline"), friendOf("Cleo", "online")]) });
  await expect
    .poll(() =>
      faces()
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([`Cleo${t("msg.presence.online")}`, `Bo${t("msg.presence.offline")}`]);
  await faces().first().click();
  await expectBubbles("good morning");
});

test("says beside the list how people become friends", async () => {
  await openInbox({ friendList: peoplePage([]) });
  await expect.element(panel().getByText(t("msg.pick.emptyText"))).toBeVisible();
});

test("does not load friends on a phone, which shows only the list", async () => {
  const server = await openInbox({}, { window: { width: 390, height: 844 } });
  await expect.element(panel().getByText("good morning")).toBeVisible();
  expect(server.asked("friendList")).toEqual([]);
});
