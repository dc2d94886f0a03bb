import { nextGuardMs, pressHeldMsMax } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { page, userEvent } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { callState, expectCallState, expectHome, meet, openCall, openSearch } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { remoteOf } from "#testing/fixtures.ts";
import { match, type MatchChange } from "#testing/match.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const heading = (text: string) => page.getByRole("heading", { name: text });
const button = (label: string) => page.getByRole("button", { name: label });
const endButton = () => page.getByRole("button", { name: t("call.end"), exact: true });
const nextButton = () => page.getByRole("button", { name: t("call.next"), exact: true });
const composer = () => page.getByRole("textbox", { name: t("call.placeholder") });
const connecting = () => t("search.connecting", { name: isolate("Bo"), country: "Brazil" });

/** A match whose video does not arrive. */
const unreached = () => matchedPush("room-slow", { remote: remoteOf("Bo"), media: { role: "answerer" } });

/** The page has received the match, which its screens draw later. */
const matched = () => expect.poll(() => callStore.getState().call.status).toBe("connecting");

test("keeps the search on the screen until the first frame is late, then names the partner", async () => {
  const server = await openSearch();
  await expect.element(heading(t("search.title"))).toBeVisible();
  server.socket.push(unreached());
  await matched();
  // No button works any longer, but for Stop.
  (button(t("search.change")).element() as HTMLElement).click();
  await expect.element(heading(t("search.title"))).toBeVisible();
  await expect.element(button(t("search.stop"))).toBeVisible();
  expect(page.getByRole("dialog").query()).toBeNull();
  expect(composer().query()).toBeNull();
  expect(server.asked("startVideo")).toHaveLength(0);
  await expect.element(heading(t("search.found"))).toBeVisible();
  await expect.element(page.getByText(connecting())).toBeVisible();
  await expect.element(composer()).toBeVisible();
  await expect.element(button(t("call.next"))).toBeVisible();
  await expect.poll(() => server.asked("startVideo").length).toBe(1);
});

test("stills the ring of the search while a match connects", async () => {
  const server = await openSearch();
  const states = () => {
    const parts = [...document.querySelectorAll("main section span > i")];
    return [...new Set(parts.map((part) => getComputedStyle(part).animationPlayState))];
  };
  await expect.poll(states).toEqual(["running"]);
  server.socket.push(unreached());
  await matched();
  await expect.poll(states).toEqual(["paused"]);
});

test("stops a search that waits for video by its button", async () => {
  const server = await openSearch();
  server.socket.push(unreached());
  await matched();
  await button(t("search.stop")).click();
  await expect.poll(callState).toBeNull();
});

test("shows the video before the rest of the call, with its checks in force from the first moment", async () => {
  const server = await openSearch();
  const seen: { rest: boolean; covered: boolean }[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called below with the element it belongs to
  const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
  vi.spyOn(HTMLVideoElement.prototype, "requestVideoFrameCallback").mockImplementation(function (
    this: HTMLVideoElement,
    act,
  ) {
    return request.call(this, (...frame) => {
      act(...frame);
      if (!this.getAttribute("aria-label")?.includes("Bo")) return;
      // After the rest of the work of this press.
      queueMicrotask(() => {
        const rest = document.querySelector("#call textarea") !== null;
        seen.push({ rest, covered: this.parentElement?.querySelector(":scope > canvas") !== null });
      });
    });
  });
  await meet(server);
  // Its first frame is unchecked: its own blur covers it, no longer the local video.
  expect(seen[0]).toEqual({ rest: false, covered: true });
  await expect.element(composer()).toBeVisible();
});

/**
 * What covers the centre of the remote video in the turn of its first frame, before the page knows about that frame.
 */
function coverAtFirstFrame(): Promise<"nothing" | "a picture"> {
  return new Promise((resolve) => {
    // oxlint-disable-next-line typescript/unbound-method -- called below with the element it belongs to
    const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
    vi.spyOn(HTMLVideoElement.prototype, "requestVideoFrameCallback").mockImplementation(function (
      this: HTMLVideoElement,
      act,
    ) {
      return request.call(this, (...frame) => {
        if (this.getAttribute("aria-label")?.includes("Bo")) resolve(coverOf(this));
        act(...frame);
      });
    });
  });
}

function coverOf(video: HTMLVideoElement): "nothing" | "a picture" {
  const { left, top, width, height } = video.getBoundingClientRect();
  const inFront = document.elementsFromPoint(left + width / 2, top + height / 2);
  const at = inFront.indexOf(video);
  // An element that is not hit counts as covered.
  return at < 0 || inFront.slice(0, at).some((element) => element.matches("canvas, video")) ? "a picture" : "nothing";
}

/** Matches a partner whose video arrives only with `comes`, so that its state is known before. */
async function meetLater(
  server: FixtureWorld,
  change: MatchChange = {},
): Promise<{ roomId: string; comes: () => void }> {
  const { remotePerson } = window;
  let comes: () => void = () => undefined;
  const isDue = new Promise<void>((resolve) => (comes = resolve));
  const roomId = await match(
    server,
    {
      offer: () => remotePerson.offer(),
      take: async (signal) => {
        await isDue;
        return remotePerson.take(signal);
      },
    },
    change,
  );
  return { roomId, comes };
}

/** The next search finds a partner before it is answered; their video arrives only with `comes`. */
function matchAtOnce(server: FixtureWorld, change: MatchChange = {}): Promise<{ roomId: string; comes: () => void }> {
  return new Promise((resolve) =>
    server.answer({
      matchStart: async () => {
        resolve(await meetLater(server, change));
        return { state: "searching", price: 0, since: Date.now() };
      },
    }),
  );
}

/** On a busy machine a match may come later than the screens wait for it. */
function waitLonger(): void {
  const later = window.setTimeout.bind(window);
  const patient = (act: () => void, ms?: number) => later(act, ms === pressHeldMsMax ? 60_000 : ms);
  vi.spyOn(window, "setTimeout").mockImplementation(patient as typeof later);
}

/** Whether the title of a search was ever in the page since this call. */
function watchSearches(): () => boolean {
  let isSeen = false;
  const watch = new MutationObserver(() => (isSeen ||= heading(t("search.title")).query() !== null));
  watch.observe(document, { subtree: true, childList: true, attributes: true });
  return () => {
    watch.disconnect();
    return isSeen;
  };
}

const isVisible = (element: Element | null) => element?.checkVisibility({ visibilityProperty: true }) ?? false;

test("shows video and buttons of a match that comes before its search is drawn, and never draws the search", async () => {
  const server = await openSearch();
  await button(t("search.stop")).click();
  await expectHome();
  waitLonger();
  const sawSearch = watchSearches();
  const match = matchAtOnce(server);
  await button(t("home.start")).click();
  const { roomId, comes } = await match;
  await expect.element(nextButton()).toBeVisible();
  await expect.element(endButton()).toBeVisible();
  const topOf = () => nextButton().element().getBoundingClientRect().top;
  const top = topOf();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.poll(clearVideo).not.toBeNull();
  const video = clearVideo();
  comes();
  await expectCallState("in-call");
  await expect.element(composer()).toBeVisible();
  expect([clearVideo() === video, isVisible(video), sawSearch()]).toEqual([true, true, false]);
  expect(topOf()).toBe(top);
});

test("hides the last partner at the press on Next, and goes to an immediate match without a search", async () => {
  const { server } = await openCall();
  await expect.element(composer()).toBeVisible();
  const name = () => page.getByText("Bo", { exact: true }).query();
  await expect.poll(() => isVisible(name())).toBe(true);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  waitLonger();
  const sawSearch = watchSearches();
  const match = matchAtOnce(server, { remote: { nickname: "Cy" } });
  await nextButton().click();
  const { roomId, comes } = await match;
  expect([isVisible(name()), isVisible(composer().query()), callState()]).toEqual([false, false, "in-call"]);
  await expect.element(endButton()).toBeVisible();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.poll(clearVideo).not.toBeNull();
  comes();
  await expect.element(composer()).toBeVisible();
  await expect.element(heading(t("call.matched", { name: isolate("Cy"), country: "Brazil" }))).toBeInTheDocument();
  expect([name(), isVisible(clearVideo()), sawSearch()]).toEqual([null, true, false]);
  await expect.poll(() => document.activeElement?.matches("#call main")).toBe(true);
});

test("[CALL-105] shows and plays nothing of the last partner from the turn of the press on Next on", async () => {
  const { server } = await openCall();
  await expect.element(composer()).toBeVisible();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  server.answer({ matchStart: () => new Promise(() => undefined) });
  const video = document.querySelector<HTMLVideoElement>("video[aria-label*=Bo]")!;
  expect([video.srcObject === null, isVisible(video)]).toEqual([false, true]);
  (nextButton().element() as HTMLElement).click();
  await Promise.resolve();
  expect([video.srcObject === null, isVisible(video)]).toEqual([true, false]);
});

test.each([
  ["the next partner's video is still to come", true],
  ["the search has no answer yet", false],
])("[SAFE-220] leaves and reports the partner who was seen when %s", async (_what, isMatched) => {
  const { server } = await openCall({ answers: { block: {}, feedback: {} } }, { push: { id: "seen" } });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  waitLonger();
  if (isMatched) {
    const match = matchAtOnce(server, { remote: { nickname: "Cy" } });
    await nextButton().click();
    await match;
    await matched();
  } else {
    server.answer({ matchStart: () => new Promise(() => undefined) });
    await nextButton().click();
  }
  await userEvent.keyboard("x");
  await expect.element(page.getByText(t("panic.lead", { name: isolate("Bo") }))).toBeVisible();
  expect([callStore.getState().call.status, localMedia.getState().media.status]).toEqual(["idle", "off"]);
  await page.getByRole("button", { name: t("panic.home") }).click();
  await expect.poll(() => server.asked("feedback")).toMatchObject([{ call_id: "seen" }]);
});

const clearVideo = () => document.querySelector("video[data-clear]");

test("covers nothing of a video from its first frame on when it was cleared during the search", async () => {
  const cover = coverAtFirstFrame();
  const server = await openSearch();
  const { roomId, comes } = await meetLater(server);
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.poll(clearVideo).not.toBeNull();
  // Before the first frame the local video shows through it.
  expect(document.querySelector("#call section[data-status] canvas")?.checkVisibility()).toBe(true);
  comes();
  expect(await cover).toBe("nothing");
  await expectCallState("in-call");
});

test.each([
  ["has no verdict", []],
  ["lost its clear verdict before it arrived", ["clear", "hidden"]],
] as const)("[SAFE-200] covers a video that %s in the turn of its first frame", async (_what, said) => {
  const cover = coverAtFirstFrame();
  const server = await openSearch();
  const { roomId, comes } = await meetLater(server);
  await expect.poll(() => document.querySelector('video[aria-label*="Bo"]')).not.toBeNull();
  for (const other of said) {
    server.socket.say({ type: "shield", roomId, other, own: "clear" });
    await expect.poll(() => clearVideo() !== null).toBe(other === "clear");
  }
  comes();
  expect(await cover).toBe("a picture");
  await expectCallState("in-call");
  expect(clearVideo()).toBeNull();
});

test("shows the video in the element that the search had, and never draws the search again", async () => {
  const server = await openSearch();
  const stage = () => document.querySelector("#call section[data-status]") as Element;
  const video = stage().querySelector("video");
  expect(video?.checkVisibility({ visibilityProperty: true })).toBe(false);
  const drawn = [t("search.title")];
  const watch = new MutationObserver(() => {
    const now = stage().querySelector("h1")?.textContent ?? "";
    if (now !== drawn.at(-1)) drawn.push(now);
  });
  watch.observe(stage(), { subtree: true, childList: true });
  await meet(server);
  watch.disconnect();
  expect(stage().querySelector("video")).toBe(video);
  expect(video?.checkVisibility({ visibilityProperty: true })).toBe(true);
  expect(drawn.slice(1)).not.toContain(t("search.title"));
});

test.each([
  ["clear", true, 0],
  ["covered", false, 1],
])("reports a first frame that is %s when it was painted, or at once if covered", async (_what, clear, told) => {
  const drawn = Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
  const context = drawn.getContext("2d");
  const stream = drawn.captureStream();
  // oxlint-disable-next-line typescript/unbound-method -- called below with the element it belongs to
  const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
  let toldAtPaint: (count: number) => void = () => undefined;
  const atPaint = new Promise<number>((resolve) => (toldAtPaint = resolve));
  const onFirstFrame = vi.fn<() => void>();
  vi.spyOn(HTMLVideoElement.prototype, "requestVideoFrameCallback").mockImplementation(function (
    this: HTMLVideoElement,
    act,
  ) {
    return request.call(this, (...frame) => {
      act(...frame);
      // The last step before the paint with this frame.
      requestAnimationFrame(() => toldAtPaint(onFirstFrame.mock.calls.length));
    });
  });
  const props = { stream, label: "Bo", muted: true, clear, onFirstFrame };
  const screen = await render(<StreamVideo {...props} />);
  const drawing = setInterval(() => context?.fillRect(Math.random() * 64, 0, 8, 8), 20);
  try {
    expect(await atPaint).toBe(told);
    await expect.poll(() => onFirstFrame.mock.calls.length).toBe(1);
  } finally {
    clearInterval(drawing);
    await screen.unmount();
  }
});

test("plays no sound of a muted video until it is unmuted", async () => {
  const stream = document.createElement("canvas").captureStream();
  const sound = new window.MediaStreamTrackGenerator({ kind: "audio" });
  stream.addTrack(sound);
  const screen = await render(<StreamVideo stream={stream} label="Bo" muted />);
  const played = () => {
    const shown = screen.container.querySelector("video")?.srcObject;
    return shown instanceof MediaStream ? shown.getTracks().map(({ kind }) => kind) : null;
  };
  await expect.poll(played).toEqual(["video"]);
  await screen.rerender(<StreamVideo stream={stream} label="Bo" />);
  await expect.poll(() => played()?.toSorted()).toEqual(["audio", "video"]);
  await screen.unmount();
  sound.stop();
});

test("redraws a blurred video until it is still, and again when it moves", async () => {
  const drawn = Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
  const context = drawn.getContext("2d")!;
  const stream = drawn.captureStream();
  const drawing = setInterval(() => {
    context.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`;
    context.fillRect(0, 0, 64, 48);
  }, 40);
  const draws = vi.spyOn(CanvasRenderingContext2D.prototype, "drawImage");
  let still = false;
  const props = { stream, label: "Bo", muted: true, blurred: true, isStill: () => still };
  const screen = await render(<StreamVideo {...props} />);
  const drawsFrom = async (ms: number) => {
    draws.mockClear();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return draws.mock.calls.length;
  };
  try {
    await expect.poll(() => drawsFrom(300)).toBeGreaterThan(0);
    still = true;
    expect(await drawsFrom(600)).toBe(0);
    still = false;
    await expect.poll(() => drawsFrom(300)).toBeGreaterThan(0);
  } finally {
    clearInterval(drawing);
    await screen.unmount();
  }
});
