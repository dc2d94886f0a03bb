import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mayTakeHold, takeAndOpen } from "#features/call/machine/tab-lock.ts";
import { isUnsupported, localMedia } from "#lib/media/local-media.ts";
import { openOverlay } from "#lib/overlays.ts";
import { ensureMedia, isGranted } from "./ensure-media.ts";

vi.mock("#features/call/machine/tab-lock.ts", () => ({
  mayTakeHold: vi.fn<typeof mayTakeHold>(),
  takeAndOpen: vi.fn<typeof takeAndOpen>(),
}));
vi.mock("#lib/media/local-media.ts");
vi.mock("#lib/overlays.ts");

let media: { status: "off" | "live" };

beforeEach(() => {
  media = { status: "off" };
  vi.mocked(localMedia.getState).mockImplementation(() => ({ media }) as ReturnType<typeof localMedia.getState>);
  vi.mocked(takeAndOpen).mockImplementation(async () => {
    media = { status: "live" };
    return localMedia.getState().media;
  });
});

afterEach(() => {
  takeBack();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

interface Answer {
  state: PermissionState;
  onchange?: () => void;
}

const answers: Answer[] = [];

/** The browser tells that what it has answered holds no more. */
function takeBack(): void {
  for (const { onchange } of answers.splice(0)) onchange?.();
}

/** What the browser answers for each of the two. */
function permissions(state: PermissionState) {
  const query = vi.fn<() => Promise<Answer>>(async () => {
    const answer: Answer = { state };
    answers.push(answer);
    return answer;
  });
  vi.stubGlobal("navigator", { permissions: { query } });
  return query;
}

test("[CALL-103] what is asked before the camera opens is asked at once: both permissions, and whether another tab has it", async () => {
  const query = permissions("granted");
  let answer: (may: boolean) => void = () => undefined;
  vi.mocked(mayTakeHold).mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const ensured = ensureMedia();
  expect(query).toHaveBeenCalledTimes(2);
  expect(takeAndOpen).not.toHaveBeenCalled();
  answer(true);
  expect(await ensured).toBe(true);
  expect([vi.mocked(mayTakeHold).mock.calls.length, vi.mocked(takeAndOpen).mock.calls.length]).toEqual([1, 1]);
});

test("[CALL-103] what was granted before the press is known at the press, until the browser tells of a change", async () => {
  const query = permissions("granted");
  vi.mocked(mayTakeHold).mockResolvedValue(true);
  await isGranted();
  query.mockClear();
  expect(await ensureMedia()).toBe(true);
  expect(query).not.toHaveBeenCalled();
  media = { status: "off" };
  takeBack();
  vi.mocked(openOverlay).mockResolvedValue("closed");
  permissions("prompt");
  expect(await ensureMedia()).toBe(false);
  expect(openOverlay).toHaveBeenCalledWith("permission");
});

test("[CALL-85] nothing is opened where the question about another tab's call was answered", async () => {
  permissions("granted");
  vi.mocked(mayTakeHold).mockResolvedValue(false);
  expect(await ensureMedia()).toBe(false);
  expect([takeAndOpen, openOverlay].map((made) => vi.mocked(made).mock.calls.length)).toEqual([0, 0]);
});

test("[RING-59] [CALL-12] a camera that is closed again while it opens is no camera that fails: nothing is said of it", async () => {
  permissions("granted");
  vi.mocked(mayTakeHold).mockResolvedValue(true);
  vi.mocked(takeAndOpen).mockImplementation(async () => localMedia.getState().media);
  expect(await ensureMedia()).toBe(false);
  expect(openOverlay).not.toHaveBeenCalled();
});

test("[MEDIA-620] tells at once that nothing opens where the browser cannot have calls", async () => {
  permissions("granted");
  vi.mocked(isUnsupported).mockReturnValue(true);
  vi.mocked(openOverlay).mockResolvedValue("closed");
  expect(await ensureMedia()).toBe(false);
  expect(openOverlay).toHaveBeenCalledWith("device-tips");
  expect([mayTakeHold, takeAndOpen].map((made) => vi.mocked(made).mock.calls.length)).toEqual([0, 0]);
});
