import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { takeShortcut } from "./idle-tasks.ts";
import { codes } from "@fava/wire/codes.ts";
import type { Invitation } from "@fava/wire/endpoints/invitations.ts";
import { invitationMs, ringMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { t } from "#lib/i18n.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { openCall } from "#testing/call-page.ts";
import { type Answers, type FixtureWorld, Refusal, silence } from "#testing/fixture-world.ts";
import { ana, memberAnswers, personOf } from "#testing/fixtures.ts";
import { loginOf } from "#testing/onboarding-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";
import { nobodyAnswers, relationAnswers } from "#testing/people-fixtures.ts";
import { openPeoplePanel } from "#testing/people-steps.ts";
import { stubProviderWindow } from "#testing/provider-window.ts";
import { ringBy } from "#testing/ring-steps.ts";

const bo = personOf("Bo");
const vera = personOf("Vera");
const until = () => Date.now() + invitationMs;
const ringing = () => ({ state: "ringing", id: "ring-1", until: Date.now() + ringMs }) as const;
const answers: Answers = {
  ...nobodyAnswers,
  ...relationAnswers(),
  inviteTakeBack: {},
  ring: ringing,
  ringAnswer: { state: "declined" },
  ringCancel: {},
  matchStop: {},
};
const member = { as: ana, stored: { neverShowRule: "1" }, answers } as const;

const button = (name: string) => page.getByRole("button", { name, exact: true });
const asked = (name: string) => page.getByRole("alertdialog", { name: t("invite.opened", { name }) });
const links = () => page.getByRole("dialog", { name: t("invite.title") });
const dialog = (key: "invite.asked" | "invite.gone" | "invite.own") => page.getByRole("dialog", { name: t(key) });
const waiting = () => page.getByRole("dialog", { name: t("invite.waiting", { name: "Bo" }) });

function invitedBy({ user_id: userId, externalId, nickname, avatar } = bo, id = "invite-1"): SocialEvent {
  return { kind: "invited", id, from: { userId, externalId, nickname, avatar } };
}

async function say(server: FixtureWorld, event: SocialEvent): Promise<void> {
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
  server.socket.social(event);
}

/** Opens the page as a press on a link does. */
function arrive(hash = "#token-1"): void {
  history.replaceState(null, "", `/?open=invite${hash}`);
  takeShortcut();
}

const opened = () =>
  ({ state: "waiting", id: "invite-1", until: until(), maker: { nickname: "Bo", avatar: "" } }) as const;

/** Ana has agreed to be seen by the maker of the link. */
async function openLink(inviteOpen: NonNullable<Answers["inviteOpen"]>): Promise<FixtureWorld> {
  const server = await openPage({ ...member, answers: { ...answers, inviteOpen } });
  await expect.element(button(t("home.account"))).toBeVisible();
  arrive();
  await button(t("invite.go")).click();
  return server;
}

test("makes a link on home, copies it, and takes it back", async () => {
  const rows: Invitation[] = [];
  const server = await openPage({
    ...member,
    answers: {
      ...answers,
      inviteList: () => ({ rows }),
      invite: () => {
        rows.push({ id: "invite-1", until: until(), opener: null });
        return { id: "invite-1", token: "token-1", until: until() };
      },
      inviteTakeBack: () => {
        rows.pop();
        return {};
      },
    },
  });
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await button(t("invite.title")).click();
  await button(t("invite.make")).click();
  const address = `${location.origin}/?open=invite#token-1`;
  await expect.element(links().getByRole("textbox", { name: t("invite.address") })).toHaveValue(address);
  await button(t("common.copy")).click();
  await expectToast(t("common.copied"));
  expect(write).toHaveBeenCalledWith(address);
  write.mockRejectedValueOnce(new Error("denied"));
  await button(t("common.copy")).click();
  await expectToast(t("common.copyFailed"));
  await button(t("invite.takeBack")).click();
  await expect.element(links().getByText(t("invite.notOpened"))).not.toBeInTheDocument();
  expect(server.asked("inviteTakeBack")).toMatchObject([{ id: "invite-1" }]);
});

test("shows who opened a link in the list, and calls them", async () => {
  const rows: Invitation[] = [{ id: "invite-1", until: until(), opener: null }];
  const server = await openPage({ ...member, answers: { ...answers, inviteList: () => ({ rows }) } });
  const people = await openPeoplePanel();
  await people.getByRole("button", { name: t("invite.short"), exact: true }).click();
  await expect.element(links().getByText(t("invite.notOpened"))).toBeVisible();
  rows[0] = { ...rows[0]!, opener: bo };
  await say(server, invitedBy());
  await expect.element(asked("Bo")).toBeVisible();
  await asked("Bo")
    .getByRole("button", { name: t("common.close") })
    .click();
  await links()
    .getByRole("button", { name: startOf("ring.call") })
    .click();
  await expect.poll(() => server.asked("ring")).toMatchObject([{ other_id: bo.user_id }]);
  expect(isOverlayOpen("people") || isOverlayOpen("invite")).toBe(false);
});

test("says why no further link can be made, and that the list did not load", async () => {
  const full = new Refusal(codes.refused, { reason: "too_many" });
  const server = await openPage({ ...member, answers: { ...answers, inviteList: silence, invite: full } });
  await button(t("invite.title")).click();
  await expect.element(links().getByText(t("people.notLoaded"))).toBeVisible();
  server.answer({ inviteList: { rows: [] } });
  await button(t("common.retry")).click();
  await expect.element(links().getByText(t("people.notLoaded"))).not.toBeInTheDocument();
  await button(t("invite.make")).click();
  await expect.element(page.getByText(t("refused.too_many"))).toBeVisible();
});

test("asks the maker over any page, and rings the friend on Call", async () => {
  const server = await openPage({ ...member, path: "/aboutUs" });
  await say(server, invitedBy());
  await expect.element(asked("Bo").getByRole("heading")).toHaveFocus();
  await button(t("ring.callName", { name: "Bo" })).click();
  await expect.element(page.getByRole("heading", { name: t("ring.calling", { name: "Bo" }) })).toBeVisible();
  await expect.poll(() => server.asked("ring")).toMatchObject([{ other_id: bo.user_id }]);
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "missed" });
  // The two cannot write to each other.
  const unanswered = page.getByRole("dialog", { name: t("ring.notTaken", { name: "Bo" }) });
  await expect.element(unanswered.getByText(t("invite.notTakenText"))).toBeVisible();
  expect(unanswered.getByRole("button", { name: t("people.messageName", { name: "Bo" }) }).query()).toBeNull();
});

test("asks about each friend in turn, declines, and forgets one whose link is over", async () => {
  const server = await openPage(member);
  await say(server, invitedBy());
  await say(server, invitedBy(vera, "invite-2"));
  await say(server, invitedBy());
  await asked("Bo")
    .getByRole("button", { name: t("ring.decline") })
    .click();
  await expect.poll(() => server.asked("inviteTakeBack")).toMatchObject([{ id: "invite-1" }]);
  await expect.element(asked("Vera")).toBeVisible();
  server.socket.social({ kind: "invite_over", id: "invite-2" });
  await expect.element(asked("Vera")).not.toBeInTheDocument();
});

test("asks after a call that runs, with a toast during it", async () => {
  const { server } = await openCall({ answers });
  server.socket.social(invitedBy());
  await expectToast(t("invite.opened", { name: "Bo" }));
  expect(isOverlayOpen("invited")).toBe(false);
  await button(t("call.end")).click();
  await expect.element(asked("Bo")).toBeVisible();
});

test("waits for the maker after the user agreed, and shows the ring over it", async () => {
  const server = await openLink(opened);
  await expect.element(waiting()).toBeVisible();
  expect(location.href).not.toContain("token-1");
  expect(server.asked("inviteOpen")).toMatchObject([{ token: "token-1" }]);
  await ringBy(server, "Bo", "ring-1");
  await button(t("ring.decline")).click();
  await expect.element(waiting()).toBeVisible();
  server.socket.social({ kind: "invite_over", id: "another" });
  await expect.element(waiting()).toBeVisible();
  server.socket.social({ kind: "invite_over", id: "invite-1" });
  await expect.element(dialog("invite.gone")).toBeVisible();
});

test("asks again in a new chat session", async () => {
  const server = await openLink(opened);
  await expect.element(waiting()).toBeVisible();
  server.answer({ inviteOpen: { state: "gone" } });
  server.socket.cut();
  await expect.element(dialog("invite.gone"), { timeout: 10_000 }).toBeVisible();
  expect(server.asked("inviteOpen").length).toBeGreaterThan(1);
});

test("says that a link no longer works, or is the user's own", async () => {
  const server = await openLink({ state: "gone" });
  await expect.element(dialog("invite.gone")).toBeVisible();
  await button(t("common.ok")).click();
  server.answer({ inviteOpen: { state: "own" }, inviteList: { rows: [] } });
  arrive("#token-2");
  await button(t("invite.go")).click();
  await dialog("invite.own")
    .getByRole("button", { name: t("invite.title") })
    .click();
  await expect.element(links()).toBeVisible();
});

test("keeps the question while offline, and after a refusal", async () => {
  const server = await openLink(silence);
  await expectToast(t("error.server"));
  server.answer({ inviteOpen: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await button(t("invite.go")).click();
  await expectToast(t("people.tooFast"));
  server.answer({ inviteOpen: opened });
  await button(t("invite.go")).click();
  await expect.element(waiting()).toBeVisible();
});

test("leads a visitor through sign-in to the link", async () => {
  const server = await openPage({
    answers: { ...memberAnswers(ana), ...answers, login: loginOf(ana), inviteOpen: opened },
  });
  const chooser = stubProviderWindow();
  arrive();
  await dialog("invite.asked")
    .getByRole("button", { name: t("login.open") })
    .click();
  const login = page.getByRole("dialog", { name: t("login.tagline") });
  await login.getByRole("button", { name: t("login.with", { name: "Google" }) }).click();
  await expect.poll(() => chooser.isOpen).toBe(true);
  chooser.choose();
  await expect.element(waiting()).toBeVisible();
  expect(server.asked("inviteOpen")[0]).toMatchObject({ token: "token-1" });
});

test("opens nothing for an address without a token", async () => {
  await openPage(member);
  arrive("");
  expect(isOverlayOpen("invitation")).toBe(false);
});
