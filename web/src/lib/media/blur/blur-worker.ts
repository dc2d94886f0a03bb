import { Blurrer } from "./blurrer.ts";
import { measuredFrames, type MessageFromBlur, type MessageToBlur } from "./blur-messages.ts";
import { pictureOf } from "./planes.ts";
import modelUrl from "./selfie-landscape.tflite?url";
import { readModel } from "./tflite.ts";

/** The worker that blurs the background of one camera's frames, or measures how long a frame takes. */
const loaded = loadBlurrer();

addEventListener("message", ({ data }: MessageEvent<MessageToBlur>) => {
  if (data.type === "ping") return tell({ type: "pong" });
  const done = data.type === "measure" ? measure() : run(data);
  done.catch((error: unknown) => tell({ type: "failed", why: String(error) }));
});

async function loadBlurrer(): Promise<Blurrer> {
  const response = await fetch(modelUrl);
  if (!response.ok) throw new Error(`the server answered ${response.status} for the model`);
  return new Blurrer(readModel(await response.arrayBuffer()));
}

/** Blurs a grey picture: the content makes no difference to the time. */
async function measure(): Promise<void> {
  const blurrer = await loaded;
  const size = { codedWidth: 640, codedHeight: 480 };
  const grey = new Uint8Array(size.codedWidth * size.codedHeight * 1.5).fill(128);
  const frameMs: number[] = [];
  // The browser compiles the loops to faster code while the first half runs.
  for (let frame = 0; frame < 2 * measuredFrames; frame += 1) {
    const before = new VideoFrame(grey, { format: "I420", ...size, timestamp: frame });
    const beganAtMs = performance.now();
    (await blurred(blurrer, before)).close();
    frameMs.push(performance.now() - beganAtMs);
    before.close();
  }
  tell({ type: "measured", frameMs: frameMs.slice(measuredFrames) });
}

async function run({ frames, sent }: Extract<MessageToBlur, { type: "run" }>): Promise<void> {
  const blurrer = await loaded;
  const blur = new TransformStream<VideoFrame, VideoFrame>({
    async transform(frame, controller) {
      try {
        controller.enqueue(await blurred(blurrer, frame));
      } finally {
        frame.close();
      }
    },
  });
  await frames.pipeThrough(blur).pipeTo(sent);
}

async function blurred(blurrer: Blurrer, frame: VideoFrame): Promise<VideoFrame> {
  const { format, timestamp, colorSpace } = frame;
  const { width, height } = frame.visibleRect ?? { width: 0, height: 0 };
  const data = new Uint8Array(frame.allocationSize());
  const layout = await frame.copyTo(data);
  const picture = pictureOf(data, layout, { format, width, height });
  if (!picture) throw new Error(`frames of an unknown format ${format}`);
  blurrer.blur(picture);
  return new VideoFrame(data, {
    format: format ?? "I420",
    codedWidth: width,
    codedHeight: height,
    layout,
    timestamp,
    colorSpace: colorSpace.toJSON(),
  });
}

function tell(message: MessageFromBlur): void {
  postMessage(message);
}
