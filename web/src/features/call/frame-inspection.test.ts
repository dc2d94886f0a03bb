import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import { upload } from "#lib/api/upload.ts";
import { takePicture } from "#lib/media/frame-sampler.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { callStore } from "./call-store.ts";
import { FrameInspection } from "./frame-inspection.ts";

vi.mock("#lib/api/upload.ts");
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");
vi.mock(import("#lib/media/frame-sampler.ts"), async (original) => ({
  ...(await original()),
  takePicture: vi.fn<typeof takePicture>(),
}));

const picture = new Blob(["jpeg"]);
const own = new FakeStream();
const theirs = new FakeStream();
const ask = (view: "own" | "received", roomId = "r1") => ({ roomId, ticket: `${view} ticket`, view, dueInMs: 0 });
const searching = stepCall(idle, { type: "start", wish: { sex: 0, country: -1 }, nowMs: 0 }).state;
const inRoom = stepCall(searching, { type: "matched", match: matchedPush("r1"), nowMs: 0 }).state;

let checks: FrameInspection;
let stop: () => void;

function cameraIs(cameraOn: boolean): void {
  const media = { status: "live", stream: own.asStream, cameraOn, microphoneOn: true } as const;
  vi.mocked(localMedia.getState).mockReturnValue({ media } as ReturnType<typeof localMedia.getState>);
}

beforeEach(() => {
  vi.stubGlobal("document", { hidden: false });
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>);
  vi.mocked(takePicture).mockResolvedValue(picture);
  vi.mocked(upload).mockResolvedValue({});
  cameraIs(true);
  callStore.setState({ call: inRoom, remote: theirs.asStream });
  checks = new FrameInspection();
  stop = checks.follow();
});

afterEach(() => {
  stop();
  callStore.setState({ call: idle, remote: null });
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

test("[SAFE-202] the picture that a ticket asks for is taken of its own track and uploaded with the ticket", async () => {
  checks.ask(ask("own"));
  checks.ask(ask("received"));
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(2));
  expect(vi.mocked(takePicture).mock.calls.map(([track]) => track)).toEqual([
    own.getVideoTracks()[0],
    theirs.getVideoTracks()[0],
  ]);
  for (const view of ["own", "received"]) {
    const input = { user_id: 7, room_id: "r1", ticket: `${view} ticket` };
    expect(upload).toHaveBeenCalledWith(
      videoInspect,
      { input, file: picture },
      expect.objectContaining({ quiet: true }),
    );
  }
});

test("[SAFE-203] nothing goes for another room, or of a camera that is switched off", () => {
  checks.ask(ask("own", "r0"));
  cameraIs(false);
  checks.ask(ask("own"));
  expect(takePicture).not.toHaveBeenCalled();
});

test("[SAFE-203] with the room goes whatever it was asked for", async () => {
  let taken: (picture: Blob) => void = () => undefined;
  vi.mocked(takePicture).mockReturnValue(new Promise((resolve) => (taken = resolve)));
  checks.ask(ask("own"));
  callStore.setState({ call: searching });
  taken(picture);
  await Promise.resolve();
  expect(upload).not.toHaveBeenCalled();
});
