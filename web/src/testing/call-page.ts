import { expect, vi } from "vitest";
import { page } from "vitest/browser";
import { callRuntime } from "#app/call-runtime.ts";
import { callStore, renderedStore } from "#features/call/machine/call-store.ts";
import { leavePanic } from "#features/call/panic/panic.ts";
import { setKeepBlurred } from "#features/call/screens/video-shown.ts";
import { t } from "#lib/i18n.ts";
import { afterEachTest } from "#testing/test-cleanup.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana, otherUserOf } from "#testing/fixtures.ts";
import { excludeFromReset } from "#testing/reset-stores.ts";
import { match, type MatchChange } from "#testing/match.ts";
import { openPage, type PageOptions } from "#testing/open-page.tsx";
import { installRemotePerson, type RemotePerson } from "#testing/remote-person.ts";

export { callRuntime };

type Status = "searching" | "connecting" | "in-call";

/** Opens the page of Ana, or of another member, who has pressed Start and searches. */
export async function openSearch({ stored, answers, ...options }: PageOptions = {}): Promise<FixtureWorld> {
  installRemotePerson();
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1", searchChecksTold: "1", ...stored },
    answers: { userInfo: otherUserOf("Bo"), ...answers },
    ...options,
  });
  await page.getByRole("button", { name: t("home.start") }).click();
  await expectCallState("searching");
  await vi.waitUntil(() => server.asked("matchStart").length > 0, waiting);
  return server;
}

/** Matches the user with a partner whose video is there and cleared. Resolves to the room's id. */
export async function meet(server: FixtureWorld, change: MatchChange = {}): Promise<string> {
  const roomId = await match(server, window.remotePerson, change);
  await expectCallState("in-call");
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.poll(() => document.querySelector('[data-status="in-call"] canvas'), waiting).toBeNull();
  return roomId;
}

/** A search with an immediate match. */
export async function openCall(
  options: PageOptions = {},
  change: MatchChange = {},
): Promise<{ server: FixtureWorld; roomId: string }> {
  const server = await openSearch(options);
  return { server, roomId: await meet(server, change) };
}

/** On a busy machine the video of a call takes long to appear, and the modules of the first call take long to load. */
const waiting = { timeout: 30_000 } as const;

export async function expectCallState(status: Status): Promise<void> {
  await expect.poll(callState, waiting).toBe(status);
}

export async function expectHome(): Promise<void> {
  await expect.poll(callState, waiting).toBeNull();
  await expect.element(page.getByRole("button", { name: t("home.start") })).toBeVisible();
}

/** The status that the call screen shows; null without a search or call. */
export function callState(): string | null {
  return document.querySelector("[data-match-state]")?.getAttribute("data-status") ?? null;
}

// Not reset after a test: `attempt` must keep growing, because it tells late responses of one search from those of the
// next.
excludeFromReset(callStore);
excludeFromReset(renderedStore);

// The state of a call lives as long as the modules: end it before its page closes.
afterEachTest(async () => {
  await leavePanic();
  callRuntime.stopCall();
  const { attempt } = callStore.getState().call;
  callStore.setState({ call: { status: "idle", notice: null, attempt } });
  setKeepBlurred(false);
  // Only some tests have a partner.
  (window.remotePerson as RemotePerson | undefined)?.leave();
});

/** The number of searches that the page started, without renewals. */
export function searchesBegun(server: FixtureWorld): number {
  return server.asked("matchStart").filter(({ refresh }) => refresh !== 1).length;
}
