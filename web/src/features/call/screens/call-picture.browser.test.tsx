import { meetingShownMs, nextGuardMs } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callRuntime, callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";
import { setCorner } from "./self-corner.ts";

const name = isolate("Bo");
const button = (label: string) => page.getByRole("button", { name: label, exact: true });
const isFaded = () => document.querySelector("#call")?.hasAttribute("data-faded") === true;
/** Whether an element is invisible. An ancestor without a box makes nothing in it transparent. */
const isUnseen = (element: Element) => {
  for (let around: Element | null = element; around; around = around.parentElement) {
    const { opacity, display } = getComputedStyle(around);
    if (opacity === "0" && display !== "contents") return true;
  }
  return false;
};
/** The centre of the local video, as a fraction of the window. */
function ownPicture(): [number, number] {
  const { left, top, width, height } = page
    .getByRole("region", { name: t("call.you") })
    .element()
    .getBoundingClientRect();
  return [(left + width / 2) / innerWidth, (top + height / 2) / innerHeight];
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  setCorner("bottom-end");
});

function tap(place: Element, change: MouseEventInit = {}): void {
  place.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 150, clientY: 300, detail: 1, ...change }));
}

/** A call on a phone whose clock stands still; the unused mouse pointer rests on the video. */
async function openStillCall(motion: "usual" | "little") {
  const asked = window.matchMedia.bind(window);
  const answer = motion === "little" ? "all" : "not all";
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    asked(query === "(prefers-reduced-motion: reduce)" ? answer : query),
  );
  const call = await openCall({ window: phone });
  const stage = document.querySelector('section[data-status="in-call"]') as Element;
  await page.getByLabelText(t("call.remote", { name })).hover({ position: { x: 150, y: 300 }, force: true });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return { ...call, stage };
}

/** Dispatches a touch pointer event, as a finger does. */
function touch(target: Element, type: string, [x, y]: readonly [number, number]): void {
  const about = { bubbles: true, pointerId: 7, pointerType: "touch", clientX: x, clientY: y };
  target.dispatchEvent(new PointerEvent(type, about));
}

test("shows the whole video after a double press or a key, and fills its place after another", async () => {
  await openCall({ window: phone });
  const video = () => document.querySelector('section[data-status="in-call"] video');
  const fit = () => getComputedStyle(video() as Element).objectFit;
  const stage = document.querySelector('section[data-status="in-call"]') as Element;
  expect(fit()).toBe("cover");
  tap(stage);
  expect(fit()).toBe("cover");
  tap(stage);
  await expect.poll(fit).toBe("contain");
  await userEvent.keyboard("f");
  await expect.poll(fit).toBe("cover");
  // A press on a control over the video presses only that control.
  const more = button(t("msg.menu", { name })).element();
  tap(more);
  tap(more);
  expect(fit()).toBe("cover");
});

test("moves the local video to any corner by drag, keys and presses, and keeps it there", async () => {
  await openCall({ window: phone });
  const handle = button(t("call.moveSelf"));
  await expect.element(handle).toBeVisible();
  const drag = (x: number, y: number) => {
    const element = handle.element() as HTMLElement;
    vi.spyOn(element, "setPointerCapture").mockImplementation(() => undefined);
    const [fromX, fromY] = ownPicture();
    touch(element, "pointerdown", [fromX * innerWidth, fromY * innerHeight]);
    touch(element, "pointermove", [x, y]);
    touch(element, "pointerup", [x, y]);
    tap(element);
  };
  // Above the controls, at the side of the thumb.
  expect(ownPicture()[0]).toBeGreaterThan(0.5);
  expect(ownPicture()[1]).toBeGreaterThan(0.7);
  drag(40, 700);
  await expect.poll(() => localStorage.getItem("selfCorner")).toBe("bottom-start");
  await expect.poll(() => ownPicture()[0]).toBeLessThan(0.5);
  expect(ownPicture()[1]).toBeGreaterThan(0.5);
  (handle.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => ownPicture()[0]).toBeGreaterThan(0.5);
  // The arrow did not mean Next.
  expect(callState()).toBe("in-call");
  await handle.click();
  await expect.poll(() => localStorage.getItem("selfCorner")).toBe("bottom-start");
  await handle.click();
  await expect.poll(() => ownPicture()[1]).toBeLessThan(0.5);
});

test("fades all but the foot row together after four seconds without a touch, and shows it again at any", async () => {
  const { stage } = await openStillCall("usual");
  const foot = page.getByRole("toolbar", { name: t("call.controls") }).element();
  const opacity = () => getComputedStyle(foot).opacity;
  touch(stage, "pointerdown", [150, 300]);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(isFaded()).toBe(false);
  expect(opacity()).toBe("1");
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitUntil(isFaded);
  vi.useRealTimers();
  const rest = ["people.likeName", "msg.menu", "call.reactAsk"] as const;
  const fading = rest.map((key) => button(t(key, { name })).element());
  const signs = [page.getByText(t("call.free")).element(), page.getByRole("timer").element()];
  const field = page.getByRole("textbox", { name: t("call.placeholder") }).element();
  for (const control of [...fading, ...signs, field]) await expect.poll(() => isUnseen(control)).toBe(true);
  // Half transparent, and not part of what fades.
  await expect.poll(opacity).toBe("0.5");
  expect(foot.closest("[data-fades]") ?? foot.querySelector("[data-fades]")).toBeNull();
  // A touch on an invisible control only shows it.
  touch(fading[0]!, "pointerdown", [300, 30]);
  tap(fading[0]!);
  await expect.poll(isFaded).toBe(false);
  expect(fading[0]!.getAttribute("aria-pressed")).toBe("false");
});

test("hardly moves the clock of the call while it has faded, and is right at a touch", async () => {
  const { stage } = await openStillCall("usual");
  const clock = () => page.getByRole("timer").element().textContent;
  touch(stage, "pointerdown", [150, 300]);
  await vi.advanceTimersByTimeAsync(4_000);
  await vi.waitUntil(isFaded);
  vi.useRealTimers();
  const faded = clock();
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect([isFaded(), clock()]).toEqual([true, faded]);
  touch(stage, "pointerdown", [150, 300]);
  await expect.poll(isFaded).toBe(false);
  expect(clock()).not.toBe(faded);
});

test("goes to the next partner with one tap on Next, while the other controls have faded", async () => {
  const { stage } = await openStillCall("usual");
  touch(stage, "pointerdown", [150, 300]);
  await vi.advanceTimersByTimeAsync(4_000);
  await vi.waitUntil(isFaded);
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  const next = button(t("call.next")).element();
  touch(next, "pointerdown", [300, 800]);
  expect(isFaded()).toBe(true);
  tap(next);
  await expect.poll(callState, { timeout: 15_000 }).toBe("searching");
  expect(isFaded()).toBe(false);
});

test("does not fade controls while one of them has the focus, nor with reduced motion", async () => {
  await openStillCall("usual");
  const field = document.querySelector("#call textarea") as HTMLElement;
  field.focus();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isFaded()).toBe(false);
  field.blur();
  await vi.advanceTimersByTimeAsync(4_000);
  await vi.waitUntil(isFaded);
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
  await vi.waitUntil(() => !isFaded());
});

test("does not fade controls over a video that is being checked or replaced", async () => {
  const { server, roomId } = await openStillCall("usual");
  const expectNotFading = async () => {
    await vi.advanceTimersByTimeAsync(9_000);
    expect(isFaded()).toBe(false);
  };
  server.socket.say({ type: "shield", roomId, other: "checking", own: "clear" });
  await vi.waitUntil(() => page.getByRole("heading", { name: t("shield.checking") }).query());
  await expectNotFading();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await vi.waitUntil(() => page.getByText(t("call.cameraOff", { name })).query());
  await expectNotFading();
  server.socket.say({ type: "peer-media", roomId, state: "camera_on" });
  await vi.waitUntil(() => page.getByText(t("call.cameraOff", { name })).query() === null);
  await vi.advanceTimersByTimeAsync(4_000);
  await vi.waitUntil(isFaded);
});

test("fades nothing with reduced motion", async () => {
  await openStillCall("little");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(isFaded()).toBe(false);
});

test("[CALL-6] draws no shade over the words that the partner's camera is off", async () => {
  const { server, roomId } = await openCall({ window: phone });
  const shades = () => {
    const stage = document.querySelector("#call section[data-status]") as Element;
    return ["::before", "::after"].map((part) => getComputedStyle(stage, part).display !== "none");
  };
  expect(shades()).toEqual([true, true]);
  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  const words = page.getByText(t("call.cameraOff", { name }));
  await expect.element(words).toBeVisible();
  expect(shades()).toEqual([false, false]);
  server.socket.say({ type: "peer-media", roomId, state: "camera_on" });
  await expect.element(words).not.toBeInTheDocument();
  expect(shades()).toEqual([true, true]);
});

test("shows the full name of a country on a narrow phone, and hides the page's scrollbar during a call", async () => {
  const scrolls = () => getComputedStyle(document.documentElement).overflowY !== "hidden";
  await openCall({ window: { width: 360, height: 640 } }, { remote: { country_name: "Germany", sex: 1 } });
  await expect.poll(() => document.querySelector("[data-meeting]"), { timeout: 2 * meetingShownMs }).toBeNull();
  const country = page.getByText("Germany", { exact: true }).element();
  expect(country.scrollWidth).toBeLessThanOrEqual(country.clientWidth);
  expect(country.getClientRects()).toHaveLength(1);
  expect(scrolls()).toBe(false);
  callRuntime.stopCall();
  await expect.poll(scrolls).toBe(true);
});
