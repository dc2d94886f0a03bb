import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { idle, stepCall } from "#features/call/machine/call-machine.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { noteSearchChecksTold } from "#features/call/machine/search-media.ts";
import { removeStored } from "#lib/storage.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { FrameInspection } from "./frame-inspection.ts";

const picture = new Blob(["jpeg"]);
const own = new FakeStream();
const theirs = new FakeStream();
const ask = (view: "own" | "received", roomId = "r1") => ({ roomId, ticket: `${view} ticket`, view, dueInMs: 0 });
const searching = stepCall(idle, { type: "start", wish: { sex: 0, country: -1 }, nowMs: 0 }).state;
const inRoom = stepCall(searching, { type: "matched", match: matchedPush("r1"), nowMs: 0 }).state;

let ports: FakeCallPorts;
let checks: FrameInspection;
let stop: () => void;
/** The reasons that were reported instead of a frame. */
let unseen: SearchMediaState[];

function cameraIs(cameraOn: boolean): void {
  ports.setMedia({ ...ports.live, stream: own.asStream, cameraOn });
}

beforeEach(() => {
  vi.stubGlobal("document", { hidden: false });
  ports = fakeCallPorts();
  ports.takePicture.mockResolvedValue(picture);
  ports.upload.mockResolvedValue({});
  cameraIs(true);
  callStore.setState({ call: inRoom, remote: theirs.asStream });
  unseen = [];
  checks = new FrameInspection(ports, (why) => unseen.push(why));
  stop = checks.follow();
});

afterEach(() => {
  stop();
  callStore.setState({ call: idle, remote: null });
  removeStored("searchChecksTold");
  vi.unstubAllGlobals();
});

test("captures the track that the request names and uploads the frame with its ticket", async () => {
  checks.ask(ask("own"));
  checks.ask(ask("received"));
  await vi.waitFor(() => expect(ports.upload).toHaveBeenCalledTimes(2));
  expect(ports.takePicture.mock.calls.map(([track]) => track)).toEqual([
    own.getVideoTracks()[0],
    theirs.getVideoTracks()[0],
  ]);
  for (const view of ["own", "received"]) {
    const input = { user_id: 7, room_id: "r1", ticket: `${view} ticket` };
    expect(ports.upload).toHaveBeenCalledWith(
      videoInspect,
      { input, file: picture },
      expect.objectContaining({ quiet: true }),
    );
  }
});

test("sends no frame for another room, or of a camera that is off", () => {
  checks.ask(ask("own", "r0"));
  cameraIs(false);
  checks.ask(ask("own"));
  expect(ports.takePicture).not.toHaveBeenCalled();
});

test("drops the pending requests with the room", async () => {
  let taken: (picture: Blob) => void = () => undefined;
  ports.takePicture.mockReturnValue(new Promise((resolve) => (taken = resolve)));
  checks.ask(ask("own"));
  callStore.setState({ call: searching });
  taken(picture);
  await Promise.resolve();
  expect(ports.upload).not.toHaveBeenCalled();
});

/** The page searches and shows no partner. */
function search(): void {
  callStore.setState({ call: searching, remote: null });
}

test("[SAFE-244] sends no frame of a search before the user was told of the checks", () => {
  search();
  checks.ask(ask("own", ""));
  expect(ports.takePicture).not.toHaveBeenCalled();
  expect(unseen).toEqual([]);
});

test("[SAFE-245] sends local frames during a search, without a room, and no others", async () => {
  noteSearchChecksTold();
  search();
  checks.ask(ask("received", ""));
  checks.ask(ask("own", "r1"));
  expect(ports.takePicture).not.toHaveBeenCalled();
  checks.ask(ask("own", ""));
  await vi.waitFor(() => expect(ports.upload).toHaveBeenCalledTimes(1));
  expect(ports.takePicture.mock.calls.map(([track]) => track)).toEqual(own.getVideoTracks());
  const input = { user_id: 7, room_id: "", ticket: "own ticket" };
  expect(ports.upload).toHaveBeenCalledWith(
    videoInspect,
    { input, file: picture },
    expect.objectContaining({ quiet: true }),
  );
});

test("[SAFE-245] drops the pending requests with the search, also when a call follows", async () => {
  noteSearchChecksTold();
  search();
  let taken: (picture: Blob) => void = () => undefined;
  ports.takePicture.mockReturnValueOnce(new Promise((resolve) => (taken = resolve)));
  checks.ask(ask("own", ""));
  callStore.setState({ call: inRoom });
  checks.ask(ask("own", ""));
  taken(picture);
  await Promise.resolve();
  expect(ports.takePicture).toHaveBeenCalledTimes(1);
  expect(ports.upload).not.toHaveBeenCalled();
});

test("[SAFE-245] reports why no frame can be captured when the camera is off or a phone hides the page", () => {
  noteSearchChecksTold();
  search();
  cameraIs(false);
  checks.ask(ask("own", ""));
  cameraIs(true);
  vi.stubGlobal("document", { hidden: true });
  vi.stubGlobal("window", { matchMedia: () => ({ matches: true }) });
  checks.ask(ask("own", ""));
  expect(ports.takePicture).not.toHaveBeenCalled();
  expect(unseen).toEqual(["camera_off", "away"]);
});

test("[SAFE-245] sends no frame when the camera was switched off before it was due", () => {
  vi.useFakeTimers();
  noteSearchChecksTold();
  search();
  checks.ask({ ...ask("own", ""), dueInMs: 1_000 });
  cameraIs(false);
  vi.advanceTimersByTime(1_000);
  expect(ports.takePicture).not.toHaveBeenCalled();
  vi.useRealTimers();
});
