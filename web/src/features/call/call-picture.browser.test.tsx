import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";
import { stopCall } from "./call.ts";
import { setCorner } from "./self-corner.ts";

const name = isolate("Bo");
const button = (label: string) => page.getByRole("button", { name: label, exact: true });
const panic = () => button(t("panic.button"));
const isFaded = () => document.querySelector("#call")?.hasAttribute("data-faded") === true;
/** Nothing of it is seen: what has no box of its own makes nothing in it transparent. */
const isUnseen = (element: Element) => {
  for (let around: Element | null = element; around; around = around.parentElement) {
    const { opacity, display } = getComputedStyle(around);
    if (opacity === "0" && display !== "contents") return true;
  }
  return false;
};
/** In the middle of the own picture, as parts of the window. */
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
  setCorner("top-end");
});

function tap(place: Element, change: MouseEventInit = {}): void {
  place.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 150, clientY: 300, detail: 1, ...change }));
}

/** A call on a phone whose clock stands still; a pointer that was used before rests on the picture alone. */
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

/** A finger of which the page hears, as it does of a real one. */
function touch(target: Element, type: string, [x, y]: readonly [number, number]): void {
  const about = { bubbles: true, pointerId: 7, pointerType: "touch", clientX: x, clientY: y };
  target.dispatchEvent(new PointerEvent(type, about));
}

test("[SAFE-226] the way out stands alone, in a shape of its own, and says in the first call what it does", async () => {
  await openCall({ window: phone });
  await expect.element(panic()).toHaveTextContent(t("panic.button"));
  const like = button(t("people.likeName", { name }));
  expect(panic().element().parentElement).not.toBe(like.element().parentElement);
  expect(like.element().parentElement).toBe(button(t("people.profileOf", { name })).element().parentElement);
  const radius = (element: Element) => getComputedStyle(element).borderTopLeftRadius;
  expect(radius(panic().element())).not.toBe(radius(like.element()));
  const { left, right, top, bottom } = panic().element().getBoundingClientRect();
  for (const other of document.querySelectorAll("#call button")) {
    if (other === panic().element() || !other.checkVisibility()) continue;
    const box = other.getBoundingClientRect();
    const gap = Math.max(box.left - right, left - box.right, box.top - bottom, top - box.bottom);
    expect(gap).toBeGreaterThan(24);
  }
});

test("[SAFE-226] in a later call the way out is its sign alone, with the same name", async () => {
  await openCall({ stored: { panicKnown: "1" } });
  await expect.element(panic()).toBeVisible();
  expect(panic().element().textContent).not.toContain(t("panic.button"));
});

test("[CALL-26] two presses on the picture, or a key, show it whole and fill its place again", async () => {
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
  // What lies over the picture and can be pressed is pressed, and nothing else.
  const keep = button(t("shield.keep")).element();
  tap(keep);
  tap(keep);
  expect(fit()).toBe("cover");
});

test("[CALL-27] the own picture is dragged to any corner, moved by keys and by presses, and stays there", async () => {
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
  drag(40, 700);
  await expect.poll(() => localStorage.getItem("selfCorner")).toBe("bottom-start");
  await expect.poll(() => ownPicture()[0]).toBeLessThan(0.5);
  expect(ownPicture()[1]).toBeGreaterThan(0.5);
  (handle.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => ownPicture()[0]).toBeGreaterThan(0.5);
  // An arrow was no Next.
  expect(callState()).toBe("in-call");
  await handle.click();
  await expect.poll(() => localStorage.getItem("selfCorner")).toBe("bottom-start");
  await handle.click();
  await expect.poll(() => ownPicture()[1]).toBeLessThan(0.5);
});

test("[CALL-28] controls fade when nothing was touched for four seconds, never those to get out or what it costs, and come back at any touch", async () => {
  const { stage } = await openStillCall("usual");
  touch(stage, "pointerdown", [150, 300]);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(isFaded()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitUntil(isFaded);
  vi.useRealTimers();
  const next = button(t("call.next")).element();
  const fading = ["people.likeName", "people.reportName", "people.blockName", "shield.keep"] as const;
  for (const control of [...fading.map((key) => button(t(key, { name })).element()), next])
    await expect.poll(() => isUnseen(control)).toBe(true);
  for (const kept of [panic().element(), button(t("call.end")).element(), page.getByText(t("call.free")).element()])
    expect(kept.closest("[data-fades]")).toBeNull();
  // Unseen, Next only comes back.
  touch(next, "pointerdown", [300, 800]);
  tap(next);
  await expect.poll(isFaded).toBe(false);
  expect(callState()).toBe("in-call");
});

test("[CALL-28] they do not fade while something of them has the focus, nor with little motion", async () => {
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

test("[CALL-28] they do not fade over a picture that is looked at first, or in whose place something stands", async () => {
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

test("[CALL-28] with little motion nothing fades", async () => {
  await openStillCall("little");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(isFaded()).toBe(false);
});

test("[CALL-6] no shade lies over the words that the other's camera is off", async () => {
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

test("names a country in full on a narrow phone, and keeps the page's scrollbar from standing beside a call", async () => {
  const scrolls = () => getComputedStyle(document.documentElement).overflowY !== "hidden";
  await openCall({ window: { width: 360, height: 640 } }, { remote: { country_name: "Germany", sex: 1 } });
  const country = page.getByText("Germany", { exact: true }).element();
  expect(country.scrollWidth).toBeLessThanOrEqual(country.clientWidth);
  expect(country.getClientRects()).toHaveLength(1);
  expect(scrolls()).toBe(false);
  stopCall();
  await expect.poll(scrolls).toBe(true);
});
