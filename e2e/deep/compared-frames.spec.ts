import { setTimeout as pause } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { comparedFrames, inspectedFrame } from "@fava/wire/limits.ts";
import { areDifferent } from "@fava/server/calls/inspection-machine.ts";
import { hashDistance } from "@fava/wire/picture-hash.ts";
import { measure, readPixels } from "@fava/server/lib/picture-pixels.ts";
import { framesOf } from "../support/frames.ts";
import { flowFacts, remoteVideo } from "../support/media.ts";
import { meet } from "../support/people.ts";
import { test } from "../support/relayed.ts";
import { type RoomScene, roomCameraOf } from "../support/room-camera.ts";
import { turnIsInstalled, type Weakness } from "../support/turn.ts";
import { words } from "../support/words.ts";

test.skip(!turnIsInstalled, "coturn is not installed");

interface Way {
  readonly name: string;
  /** By default a drawn room; `device`: the camera of Chromium. */
  readonly scene?: Partial<RoomScene> | "device";
  readonly weakness?: Weakness;
  readonly isBlurred?: boolean;
}

const small = { width: 160, height: 120 };
const ways: readonly Way[] = [
  { name: "Chromium's camera", scene: "device" },
  { name: "640 x 480" },
  { name: "1280 x 720", scene: { seed: 2, width: 1_280, height: 720 } },
  { name: "upright 480 x 640", scene: { seed: 3, width: 480, height: 640 } },
  { name: "160 x 120", scene: { seed: 4, ...small } },
  { name: "fast motion", scene: { seed: 5, sway: 0.15 } },
  { name: "a dark room", scene: { seed: 6, light: 0.35 } },
  { name: "a bright room", scene: { seed: 7, light: 1.8 } },
  { name: "20 % lost", scene: { seed: 8 }, weakness: { loss: 0.2, jitterMs: 100 } },
  { name: "20 % lost, small", scene: { seed: 9, ...small, sway: 0.1 }, weakness: { loss: 0.2, jitterMs: 200 } },
  { name: "300 kbit/s", scene: { seed: 10, width: 1_280, height: 720 }, weakness: { carriedKbps: 300, jitterMs: 50 } },
  { name: "120 kbit/s", scene: { seed: 11, width: 1_280, height: 720 }, weakness: { carriedKbps: 120, jitterMs: 50 } },
  { name: "a blurred background", scene: { seed: 12, sway: 0.06 }, isBlurred: true },
];
const pairsWanted = 40;
/** A pair takes about a second, and the server compares every three seconds. */
const recentEach = 3;
/** How much later one page may capture than the other, in milliseconds. */
const skewMsMax = 200;

interface Measured extends ReturnType<typeof measure> {
  readonly isUsable: boolean;
}
const seen: { way: string; own: Measured; received: Measured }[] = [];

for (const { name, scene = {}, weakness, isBlurred } of ways) {
  test(`finds both frames of a moment alike: ${name}`, async ({ person, wire }) => {
    test.setTimeout(240_000);
    const before = scene === "device" ? undefined : roomCameraOf(scene);
    const options = { camera: "whole", ...(before && { before }) } as const;
    const [ana, bo] = [await person({ name: `Ana ${name}` }, options), await person({ name: `Bo ${name}` }, options)];
    await meet(ana, bo);
    if (isBlurred) {
      await ana.getByRole("button", { name: words("msg.menu", { name: `Bo ${name}` }) }).click();
      await ana.getByRole("menuitem", { name: words("options.title") }).click();
      await ana.getByRole("switch", { name: words("options.blur") }).click();
      await pause(5_000);
    }
    wire.weaken(weakness ?? {});
    const found: (typeof seen)[number][] = [];
    for (let tries = 0; tries < 3 * pairsWanted && found.length < pairsWanted; tries += 1) {
      const pair = (await isCompared(ana, bo)) ? await pairOf(ana, bo) : null;
      if (pair && (await isCompared(ana, bo))) found.push({ way: name, ...pair });
      await pause(150);
    }
    const { sentScale } = await flowFacts(ana);
    wire.heal();
    seen.push(...found);
    const usable = found.filter(({ received }) => received.isUsable);
    const bits = usable.map(({ own, received }) => hashDistance(own.phash, received.phash)).toSorted((a, b) => a - b);
    const lumas = usable.map(({ own, received }) => Math.abs(own.luma - received.luma)).toSorted((a, b) => a - b);
    const share = (of: readonly number[], part: number) => of[Math.floor((of.length - 1) * part)] ?? -1;
    console.log(
      `${name}: ${found.length} pairs, ${usable.length} usable, scale ${sentScale}, bits ${share(bits, 0.5)}/${share(bits, 0.95)}/${share(bits, 1)}, luma ${[0.5, 0.95, 1].map((part) => share(lumas, part).toFixed(1)).join("/")}, own luma ${found[0]?.own.luma.toFixed(0)}, sharpness ${found[0]?.own.sharpness.toFixed(0)}/${found[0]?.received.sharpness.toFixed(0)}, hash ${found[0]?.own.phash}`,
    );
    const different = usable.filter(({ own, received }, index) => {
      const recent = [usable[index - recentEach], usable[index - 2 * recentEach]].flatMap((each) => each?.own ?? []);
      return areDifferent(received, [own, ...recent], { compared: comparedFrames });
    });
    expect(different.length, "moments that differ").toBeLessThanOrEqual(usable.length / 10);
  });
}

test("tells frames of different rooms and people apart", () => {
  const one = (way: string) => seen.filter((pair) => pair.way === way);
  const names = [...new Set(seen.map(({ way }) => way))];
  const bits: number[] = [];
  let different = 0;
  for (const way of names) {
    for (const other of names) {
      if (way === other) continue;
      for (const { received } of one(way)
        .filter((pair) => pair.received.isUsable)
        .slice(0, 10)) {
        for (const { own } of one(other).slice(0, 10)) {
          bits.push(hashDistance(own.phash, received.phash));
          if (areDifferent(received, [own], { compared: comparedFrames })) different += 1;
        }
      }
    }
  }
  bits.sort((a, b) => a - b);
  const share = (part: number) => bits[Math.floor((bits.length - 1) * part)] ?? -1;
  const text = [0, 0.01, 0.05, 0.1, 0.5, 0.9].map(share).join("/");
  console.log(`different rooms: ${bits.length} pairs, bits ${text}, found different ${different}`);
  expect(different / bits.length).toBeGreaterThan(0.8);
});

/** Whether the server compares: the video is sent, and the partner's page plays it. */
async function isCompared(ana: Page, bo: Page): Promise<boolean> {
  const last = (page: Page, states: readonly string[]) =>
    framesOf(page)
      .sent.flatMap((text) => /"type":"media".*"state":"(\w+)"/.exec(text)?.[1] ?? [])
      .findLast((state) => states.includes(state));
  const isPaused = last(ana, ["picture_paused", "picture_back"]) === "picture_paused";
  return !isPaused && last(bo, ["playing", "resumed", "stalled"]) !== "stalled";
}

/** Both ends capture ana's video as the page does for the inspection. */
async function pairOf(ana: Page, bo: Page): Promise<{ own: Measured; received: Measured } | null> {
  const capture = (video: ReturnType<typeof remoteVideo>, delayMs: number) =>
    video.evaluate(captureInPage, { ...inspectedFrame, delayMs });
  const [first, second] = [Math.random() * skewMsMax, Math.random() * skewMsMax];
  const own = ana.locator(`[aria-label="You"] video`).first();
  const texts = await Promise.all([capture(own, first), capture(remoteVideo(bo), second)]);
  const [sent, received] = await Promise.all(texts.map(measuredOf));
  return sent && received ? { own: sent, received } : null;
}

async function measuredOf(jpeg: string | null): Promise<Measured | null> {
  if (jpeg === null) return null;
  const facts = measure(await readPixels(Buffer.from(jpeg, "base64")));
  return { ...facts, isUsable: facts.luma >= 30 && facts.sharpness >= 8 };
}

async function captureInPage(
  video: Element,
  { widthPx, heightPx, quality, delayMs }: { widthPx: number; heightPx: number; quality: number; delayMs: number },
): Promise<string | null> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (!(video instanceof HTMLVideoElement) || video.videoWidth === 0) return null;
  const scale = Math.min(1, widthPx / video.videoWidth, heightPx / video.videoHeight);
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(video.videoWidth * scale),
    height: Math.round(video.videoHeight * scale),
  });
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) return null;
  context.imageSmoothingEnabled = false;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", quality).split(",")[1] ?? null;
}
