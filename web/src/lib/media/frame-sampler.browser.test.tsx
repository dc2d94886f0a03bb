import { expect, test, vi } from "vitest";
import { pictureSizes, takePicture } from "./frame-sampler.ts";

/** A camera with a single colour; a canvas track has a frame for each drawing. */
function drawnTrack(width: number, height: number): { track: MediaStreamTrack; stop: () => void } {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d")!;
  const draw = () => {
    context.fillStyle = "rgb(200, 40, 90)";
    context.fillRect(0, 0, width, height);
  };
  draw();
  const timer = setInterval(draw, 50);
  const [track] = canvas.captureStream(20).getVideoTracks();
  return { track: track!, stop: () => (clearInterval(timer), track!.stop()) };
}

async function expectPictures(): Promise<void> {
  const { track, stop } = drawnTrack(640, 360);
  const owner = new AbortController();
  for (const [size, width, height] of [
    [pictureSizes[0], 640, 360],
    [pictureSizes[2], 427, 240],
  ] as const) {
    const picture = await takePicture(track, size, owner.signal);
    expect(picture?.type).toBe("image/jpeg");
    const image = await createImageBitmap(picture!);
    expect([image.width, image.height]).toEqual([width, height]);
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    expect(Math.abs(red - 200) + Math.abs(green - 40) + Math.abs(blue - 90)).toBeLessThan(40);
  }
  stop();
}

test("encodes a frame in a worker, not on the page's main thread", async () => {
  const onPage = vi.spyOn(HTMLCanvasElement.prototype, "toDataURL");
  // The page encodes until the worker has started.
  await expect
    .poll(async () => {
      onPage.mockClear();
      await expectPictures();
      return onPage.mock.calls.length;
    })
    .toBe(0);
});

test("returns null for a track without frames once it is aborted", async () => {
  const track = document.createElement("canvas").captureStream(0).getVideoTracks()[0]!;
  const owner = new AbortController();
  const picture = takePicture(track, pictureSizes[0], owner.signal);
  owner.abort();
  expect(await picture).toBeNull();
  track.stop();
});

test("takes one frame after the other with the same video element, each of its own track", async () => {
  const made = vi.spyOn(document, "createElement");
  for (const [width, height] of [
    [640, 480],
    [320, 240],
    [480, 640],
  ] as const) {
    const { track, stop } = drawnTrack(width, height);
    const picture = await takePicture(track, pictureSizes[0], new AbortController().signal);
    const image = await createImageBitmap(picture!);
    expect(image.width / image.height).toBeCloseTo(width / height, 1);
    stop();
  }
  expect(made.mock.calls.filter(([name]) => name === "video").length).toBeLessThanOrEqual(1);
});

test("encodes a frame on the page in a browser that cannot in a worker, even while its own encoders wait", async () => {
  vi.stubGlobal("VideoFrame", function VideoFrame() {
    throw new TypeError("not here");
  });
  const idle = () => new Promise<never>(() => undefined);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(() => undefined);
  vi.spyOn(OffscreenCanvas.prototype, "convertToBlob").mockImplementation(idle);
  const onPage = vi.spyOn(HTMLCanvasElement.prototype, "toDataURL");
  await expectPictures();
  expect(onPage).toHaveBeenCalledTimes(2);
});
