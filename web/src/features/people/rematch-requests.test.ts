import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { activateLanguage } from "#lib/i18n.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { personOf } from "#testing/fixtures.ts";
import { recentRow } from "#testing/people-fixtures.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { requestRematch, rematchRequestOf, noteRecent, sendRematchRequest } from "./rematch-requests.ts";
import { publishSocial } from "./social-messages.ts";

const person = personOf("Bo", { user_id: 8 });
const meetNow = () => rematchRequestOf(8)?.meet;
const hear = (state: "both" | "waiting" | "over") =>
  publishSocial({
    type: "social",
    sequence: 1,
    event: { kind: "meet", userId: 8, externalId: "x-bo", nickname: "Bo", avatar: "", state },
  });
const row = (meet: "asked" | "both", until: number) => recentRow(person, 0, { meet, until });

let server: ServedWorld;

beforeAll(() => activateLanguage("en"));
beforeEach(async () => {
  server = serve();
  await signIn(server);
  noteRecent([{ person, meet: "none", until: 1_000 }]);
});
afterEach(() => {
  dismissPassingToasts();
  stopServing();
});

test("shows the wish at once, then the server's response", async () => {
  server.answer({ meetAgain: { meet: "both" } });
  const done = sendRematchRequest(8, true);
  expect(meetNow()).toBe("asked");
  await done;
  expect(meetNow()).toBe("both");
  expect(server.asked("meetAgain")).toMatchObject([{ user_id: 7, other_id: 8, on: 1 }]);
});

test("reverts a wish that the server rejects, with a message", async () => {
  server.answer({ meetAgain: new Refusal(429) });
  await sendRematchRequest(8, true);
  expect(meetNow()).toBe("none");
  expect(shownToasts()).toMatchObject([{ type: "error" }]);
});

test("follows mutual wishes, waiting users and their end for recent people", () => {
  hear("both");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "both", isWaitedFor: false });
  hear("waiting");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "both", isWaitedFor: true });
  noteRecent([row("both", 2_000)]);
  expect(rematchRequestOf(8)).toEqual({ meet: "both", isWaitedFor: true, untilMs: 2_000, apartUntilMs: null });
  hear("over");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "asked", isWaitedFor: false });
});

test("drops the wish on a block", () => {
  hear("both");
  publishSocial({
    type: "social",
    sequence: 2,
    event: { kind: "hidden", userId: 8, externalId: "x-bo", unread_total: 0 },
  });
  expect(meetNow()).toBe("none");
});

test("loads the state of one user, and has none for users without a recent call", async () => {
  const { signal } = new AbortController();
  server.answer({ recentList: { rows: [row("asked", 5)], next: null } });
  await requestRematch(8, signal);
  expect(server.asked("recentList")).toMatchObject([{ user_id: 7, other_id: 8 }]);
  expect(rematchRequestOf(8)).toMatchObject({ meet: "asked", untilMs: 5 });
  server.answer({ recentList: silence });
  await requestRematch(8, signal);
  expect(meetNow()).toBe("asked");
  server.answer({ recentList: { rows: [], next: null } });
  await requestRematch(8, signal);
  expect(rematchRequestOf(8)).toBeNull();
  await sendRematchRequest(8, true);
  expect(server.asked("recentList")).toHaveLength(3);
  expect(server.asked("meetAgain")).toEqual([]);
});
