import { type EncoderAnswer, type EncoderJob, encoderReady } from "../src/lib/media/encoder-job.ts";

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener("message", ({ data }: MessageEvent<EncoderJob>) => void answer(data));
self.postMessage(encoderReady);

async function answer(job: EncoderJob): Promise<void> {
  const { id, frame } = job;
  try {
    self.postMessage({ id, picture: await encode(job) } satisfies EncoderAnswer);
  } catch {
    // The page encodes the frame itself.
    self.postMessage({ id } satisfies EncoderAnswer);
  } finally {
    frame.close();
  }
}

/** Without smoothing, because the image models were trained so. */
async function encode({ frame, width, height, qualities, bytesMax }: EncoderJob): Promise<Blob | null> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("no context");
  context.imageSmoothingEnabled = false;
  context.drawImage(frame, 0, 0, width, height);
  for (const quality of qualities) {
    const picture = await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (picture.type !== "image/jpeg") throw new Error("no JPEG");
    if (picture.size <= bytesMax) return picture;
  }
  return null;
}
