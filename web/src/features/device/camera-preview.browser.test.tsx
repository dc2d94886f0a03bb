import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { watchAnnouncements } from "#testing/announcements.ts";
import { openPage } from "#testing/open-page.tsx";

const made: AudioContext[] = [];
const picture = () => document.querySelector(`section[aria-label="${t("home.camera")}"] video`);

afterEach(() => void made.splice(0));

/** What the browser reports when another tab comes to the front, and when this one returns. */
function show(isShown: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("shows the own avatar, three hints and one button while the camera is off", async () => {
  await openPage({ as: ana });
  const place = page.getByRole("region", { name: t("home.camera") });
  await expect.element(place.getByRole("button", { name: t("home.turnOn") })).toBeVisible();
  expect(place.getByRole("button").elements()).toHaveLength(1);
  const hints = place.getByRole("listitem").elements();
  expect(hints.map(({ textContent }) => textContent)).toEqual([
    t("camera.light"),
    t("camera.framing"),
    t("camera.sound"),
  ]);
  expect(place.element().querySelector("img")?.getAttribute("src")).toBe(ana.avatar);
  await place.getByRole("button").click();
  await expect.poll(picture).not.toBeNull();
  expect(place.getByRole("listitem").elements()).toEqual([]);
});

/** Paints what the camera shows from now on, instead of its own picture. */
function lightCamera(): (colour: string) => void {
  const draw = vi.spyOn(CanvasRenderingContext2D.prototype, "drawImage");
  return (colour) =>
    void draw.mockImplementation(function (this: CanvasRenderingContext2D) {
      this.fillStyle = colour;
      this.fillRect(0, 0, this.canvas.width, this.canvas.height);
    });
}

test("shows a hint on the light of the video, and announces it at most every ten seconds", async () => {
  const said = watchAnnouncements();
  const light = lightCamera();
  light("#777");
  await openPage({ as: ana });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.poll(() => (picture() as HTMLVideoElement | null)?.readyState).toBeGreaterThanOrEqual(2);
  const hint = (key: "camera.good" | "camera.dark") =>
    page.getByRole("region", { name: t("home.camera") }).getByText(t(key));
  vi.advanceTimersByTime(2_000);
  await expect.element(hint("camera.good")).toBeVisible();
  vi.advanceTimersByTime(1);
  light("#111");
  for (let frame = 0; frame < 2; frame += 1) {
    await expect.element(hint("camera.good")).toBeVisible();
    vi.advanceTimersByTime(2_000);
    await Promise.resolve();
  }
  await expect.element(hint("camera.dark")).toBeVisible();
  // Without the lines about the connection, whose timers run on as well.
  const heard = () => said.filter((line) => line.endsWith(t("camera.good")) || line.endsWith(t("camera.dark")));
  expect(heard()).toEqual([`polite: ${t("camera.good")}`]);
  const heardLater = () => {
    vi.advanceTimersByTime(1_000);
    return heard();
  };
  await expect.poll(heardLater).toEqual([`polite: ${t("camera.good")}`, `polite: ${t("camera.dark")}`]);
});

test("shows the camera and listens while the page is visible, and not on a hidden page", async () => {
  vi.stubGlobal(
    "AudioContext",
    class extends AudioContext {
      constructor() {
        super();
        made.push(this);
      }
    },
  );
  await openPage({ as: ana });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.poll(picture).not.toBeNull();
  await expect.poll(() => made.map(({ state }) => state === "closed")).toEqual([false]);
  show(false);
  await expect.poll(picture).toBeNull();
  await expect.poll(() => made.map(({ state }) => state)).toEqual(["closed"]);
  await expect.element(page.getByRole("button", { name: t("home.camMute") })).toBeVisible();
  show(true);
  await expect.poll(picture).not.toBeNull();
  await expect.poll(() => made.length).toBe(2);
});
