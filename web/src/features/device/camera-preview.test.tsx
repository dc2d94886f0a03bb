import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { localMedia } from "#lib/media/local-media.ts";
import { useSoundLevel } from "#lib/media/use-sound-level.ts";
import { CameraPreview } from "./CameraPreview.tsx";

// What the browser says, not what holds where there is none.
vi.mock("react", async (original) => ({
  ...(await original<object>()),
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
}));
vi.mock("#lib/i18n.ts", async (original) => ({ ...(await original<object>()), useT: () => (key: string) => key }));
vi.mock("#lib/media/local-media.ts");
vi.mock("#lib/media/use-sound-level.ts");
vi.mock("./ensure-media.ts", () => ({}));
vi.mock("#lib/media/media-options.ts", () => ({ useMediaOptions: () => ({ mirrorsOwn: true }) }));
vi.mock("./DevicePickers.tsx", () => ({ DevicePickers: () => null }));

const stream = {} as MediaStream;
let page: { hidden: boolean };

beforeEach(() => {
  page = { hidden: false };
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { matchMedia: () => ({ matches: false }) });
  const media = { status: "live", stream, cameraOn: true, microphoneOn: true };
  vi.mocked(localMedia.getState).mockReturnValue({ media } as ReturnType<typeof localMedia.getState>);
  vi.mocked(useSoundLevel).mockReturnValue(0);
});
afterEach(() => {
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

test("[DEVICE-11] the preview shows the camera and listens while the page can be seen", () => {
  expect(renderToString(<CameraPreview />)).toContain("<video");
  expect(useSoundLevel).toHaveBeenLastCalledWith(stream);
});

test("[DEVICE-11] on a hidden page the preview decodes no picture and measures no sound", () => {
  page.hidden = true;
  const html = renderToString(<CameraPreview />);
  expect(html).toContain("home.camMute");
  expect(html).not.toContain("<video");
  expect(useSoundLevel).toHaveBeenLastCalledWith(null);
});
