import type { SearchMediaState } from "@fava/wire/socket.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeStored } from "#lib/storage.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { callStore } from "./call-store.ts";
import { noteSearchChecksTold, followSearchMedia } from "./search-media.ts";

const searching = stepCall(idle, { type: "start", wish: { sex: 0, country: -1 }, nowMs: 0 }).state;
const inRoom = stepCall(searching, { type: "matched", match: matchedPush("r1"), nowMs: 0 }).state;
const [first, second] = [new FakeStream(), new FakeStream()];

let told: SearchMediaState[];
let stop: () => void;
let page: EventTarget & { hidden: boolean };
let ports: FakeCallPorts;

beforeEach(() => {
  told = [];
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
  isOnPhone(true);
  ports = fakeCallPorts();
  camera(first, true);
  noteSearchChecksTold();
  callStore.setState({ call: searching });
  stop = followSearchMedia(ports, (state) => told.push(state));
});

afterEach(() => {
  stop();
  callStore.setState({ call: idle });
  removeStored("searchChecksTold");
  vi.unstubAllGlobals();
});

function isOnPhone(matches: boolean): void {
  vi.stubGlobal("window", { matchMedia: () => ({ matches }) });
}

/** Sets the local camera; null: closed. */
function camera(stream: FakeStream | null, cameraOn: boolean): void {
  ports.setMedia(stream ? { ...ports.live, stream: stream.asStream, cameraOn } : { status: "off" });
}

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("reports each time that the camera is switched off and on during a search, once", () => {
  camera(first, false);
  camera(first, false);
  camera(first, true);
  expect(told).toEqual(["camera_off", "camera_on"]);
});

test("[CALL-136] reports a camera that the system takes away as one that is off", () => {
  for (const camera of ["muted", "switching", "running"] as const)
    ports.setMedia({ ...ports.live, stream: first.asStream, camera });
  expect(told).toEqual(["camera_off", "camera_on"]);
});

test("reports no camera when only the microphone is replaced", () => {
  const after = new FakeStream([...new FakeStream().getAudioTracks(), ...first.getVideoTracks()]);
  ports.setMedia({ ...ports.live, stream: after.asStream });
  expect(told).toEqual([]);
});

test("reports another camera as one that turns off and another that turns on", () => {
  camera(second, true);
  expect(told).toEqual(["camera_off", "camera_on"]);
  // The user chose another camera: one closes, then the other opens.
  camera(null, false);
  camera(first, true);
  expect(told).toEqual(["camera_off", "camera_on", "camera_off", "camera_on"]);
});

test("reports on a phone when the page is hidden and shown; on a desktop the camera continues", () => {
  hide(true);
  hide(false);
  expect(told).toEqual(["away", "back"]);
  isOnPhone(false);
  hide(true);
  expect(told).toEqual(["away", "back"]);
});

test("reports nothing in a call, outside of a search, or before the user was told of the checks", () => {
  callStore.setState({ call: inRoom });
  camera(first, false);
  callStore.setState({ call: idle });
  camera(first, true);
  removeStored("searchChecksTold");
  callStore.setState({ call: searching });
  camera(first, false);
  expect(told).toEqual([]);
});
