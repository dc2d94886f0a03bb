import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { meetAgain, recentList } from "@fava/wire/endpoints/social.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { activateLanguage } from "#lib/i18n.ts";
import { currentUser } from "#lib/session.ts";
import { ownUser } from "#testing/own-user.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { requestRematch, rematchRequestOf, noteRecent, sendRematchRequest } from "./rematch-requests.ts";
import { publishSocial } from "./social-messages.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts", { spy: true });

const person = { user_id: 8 } as Parameters<typeof noteRecent>[0][number]["person"];
const answers = vi.mocked(request);
const meetNow = () => rematchRequestOf(8)?.meet;
const hear = (state: "both" | "waiting" | "over") =>
  publishSocial({
    type: "social",
    sequence: 1,
    event: { kind: "meet", userId: 8, externalId: "x-bo", nickname: "Bo", avatar: "", state },
  });

beforeAll(() => activateLanguage("en"));
beforeEach(() => {
  vi.mocked(currentUser).mockReturnValue(ownUser({ user_id: 7 }));
  noteRecent([{ person, meet: "none", until: 1_000 }]);
});
afterEach(() => {
  dismissPassingToasts();
  vi.resetAllMocks();
});

test("[PEOPLE-112] the wish is shown at once, and becomes what the server answers", async () => {
  answers.mockResolvedValueOnce({ meet: "both" } as never);
  const done = sendRematchRequest(8, true);
  expect(meetNow()).toBe("asked");
  await done;
  expect(meetNow()).toBe("both");
  expect(answers.mock.calls[0]?.slice(0, 2)).toEqual([meetAgain, { user_id: 7, other_id: 8, on: 1 }]);
});

test("[PEOPLE-112] a wish that the server does not take is taken back and told", async () => {
  answers.mockRejectedValueOnce(new RequestFailure({ code: 429, reason: "" }));
  await sendRematchRequest(8, true);
  expect(meetNow()).toBe("none");
  expect(shownToasts()).toMatchObject([{ type: "error" }]);
});

test("[MSG-81] that both want to, that the other waits, and that it is over are followed for recent people", () => {
  hear("both");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "both", isWaitedFor: false });
  hear("waiting");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "both", isWaitedFor: true });
  noteRecent([{ person, meet: "both", until: 2_000 }]);
  expect(rematchRequestOf(8)).toEqual({ meet: "both", isWaitedFor: true, untilMs: 2_000, apartUntilMs: null });
  hear("over");
  expect(rematchRequestOf(8)).toMatchObject({ meet: "asked", isWaitedFor: false });
});

test("[MSG-81] a block ends the wish", () => {
  hear("both");
  publishSocial({
    type: "social",
    sequence: 2,
    event: { kind: "hidden", userId: 8, externalId: "x-bo", unread_total: 0 },
  });
  expect(meetNow()).toBe("none");
});

test("[MSG-81] the server is asked about one person; whoever is not recent has nothing to wish for", async () => {
  const { signal } = new AbortController();
  answers.mockResolvedValueOnce({ rows: [{ person, meet: "asked", until: 5 }], next: null } as never);
  await requestRematch(8, signal);
  expect(answers.mock.calls[0]?.slice(0, 2)).toEqual([recentList, { user_id: 7, other_id: 8 }]);
  expect(rematchRequestOf(8)).toMatchObject({ meet: "asked", untilMs: 5 });
  answers.mockRejectedValueOnce(new RequestFailure({ code: 0, reason: "network" }));
  await requestRematch(8, signal);
  expect(meetNow()).toBe("asked");
  answers.mockResolvedValueOnce({ rows: [], next: null } as never);
  await requestRematch(8, signal);
  expect(rematchRequestOf(8)).toBeNull();
  await sendRematchRequest(8, true);
  expect(answers).toHaveBeenCalledTimes(3);
});
