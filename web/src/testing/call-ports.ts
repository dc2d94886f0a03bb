import { vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { CallLink, CallPorts, CallSocket } from "#features/call/machine/call-ports.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import type { ChatSocketListener } from "#features/call/machine/chat-socket.ts";
import type { RoomLinkOptions } from "#features/call/room/room-link.ts";
import type { LiveMedia, LocalMedia } from "#lib/media/local-media.ts";
import type { Session } from "#lib/session.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { ownUser } from "#testing/own-user.ts";

/** Records what an open room receives, and how it ends. */
export class FakeLink implements CallLink {
  readonly send: RoomLinkOptions["send"];
  readonly listener: RoomLinkOptions["listener"];
  /** The status of the call when this link was opened. */
  readonly openedIn = callStore.getState().call.status;
  readonly told: string[] = [];
  /** The ids of the sent chat messages. */
  readonly said: string[] = [];
  /** The streams that replaced the first one. */
  readonly streams: MediaStream[] = [];
  closings = 0;
  leavings = 0;

  constructor({ send, listener }: RoomLinkOptions) {
    this.send = send;
    this.listener = listener;
  }

  tell(state: string): void {
    this.told.push(state);
  }

  say(id: string): void {
    this.said.push(id);
  }

  close(): void {
    this.closings += 1;
  }

  leave(): void {
    this.leavings += 1;
  }

  useStream(stream: MediaStream): void {
    this.streams.push(stream);
  }

  take(): void {}
  react(): void {}
  askBoth(): void {}
  restart(): void {}
  tellRung(): void {}
}

/** A chat socket that the test controls. */
export class FakeCallSocket implements CallSocket {
  /** The listener of the runtime, which receives the messages of the server. */
  declare listener: ChatSocketListener;
  isOpen = false;
  isLive = false;
  readonly open = vi.fn<() => void>();
  readonly close = vi.fn<() => void>();
  readonly leavePage = vi.fn<() => void>();
  readonly wake = vi.fn<() => void>();
  readonly send = vi.fn<CallSocket["send"]>();
  readonly carry = vi.fn<CallSocket["carry"]>();
  readonly whenLive = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
}

export type FakeCallPorts = ReturnType<typeof fakeCallPorts>;

/** A request without a response, unless the test gives one. */
const unanswered = () => new Promise<never>(() => undefined);

/** Fake ports of a call. The user is signed in, the camera is on, and this tab has the call. */
export function fakeCallPorts() {
  const user = ownUser();
  const stream = new FakeStream();
  const live: LiveMedia = {
    status: "live",
    stream: stream.asStream,
    cameraOn: true,
    microphoneOn: true,
    camera: "running",
    microphone: "running",
  };
  type MediaState = ReturnType<CallPorts["localMedia"]["getState"]>;
  const localMedia = createStore<MediaState>(() => ({
    media: live,
    devices: { videoinput: [], audioinput: [], audiooutput: [] },
    chosen: { cameraId: null, microphoneId: null, speakerId: null, facing: "user" },
    lastOpened: { cameraId: null, microphoneId: null },
  }));
  const change = (changes: Partial<LiveMedia>) => {
    const { media } = localMedia.getState();
    if (media.status === "live") localMedia.setState({ media: { ...media, ...changes } });
  };
  const links: FakeLink[] = [];
  const socket = new FakeCallSocket();
  const { loseHold, ...tab } = fakeTab();
  const trackEndings = new Set<Parameters<CallPorts["onLocalTrackEnded"]>[0]>();
  const ports = {
    request: vi.fn<CallPorts["request"]>(unanswered),
    smallRequest: vi.fn<CallPorts["smallRequest"]>(unanswered),
    signAhead: vi.fn<CallPorts["signAhead"]>(),
    upload: vi.fn<CallPorts["upload"]>(unanswered),
    session: createStore<Session>(() => ({ status: "signed-in", token: "t", user })),
    currentUser: vi.fn<CallPorts["currentUser"]>(() => user),
    refreshUser: vi.fn<CallPorts["refreshUser"]>(async () => user),
    banSession: vi.fn<CallPorts["banSession"]>(),
    endSession: vi.fn<CallPorts["endSession"]>(),
    localMedia: localMedia as CallPorts["localMedia"],
    openMedia: vi.fn<CallPorts["openMedia"]>(async () => localMedia.getState().media),
    closeMedia: vi.fn<CallPorts["closeMedia"]>(),
    switchCamera: vi.fn<CallPorts["switchCamera"]>((cameraOn) => change({ cameraOn })),
    switchMicrophone: vi.fn<CallPorts["switchMicrophone"]>((microphoneOn) => change({ microphoneOn })),
    onLocalTrackEnded: (listener) => {
      trackEndings.add(listener);
      return () => trackEndings.delete(listener);
    },
    keepTracksWhile: vi.fn<CallPorts["keepTracksWhile"]>(() => () => undefined),
    checkTracks: vi.fn<CallPorts["checkTracks"]>(),
    watchDevices: () => undefined,
    takePicture: vi.fn<CallPorts["takePicture"]>(),
    ...tab,
    ...fakeOffers(),
    openSocket: (listener: ChatSocketListener) => Object.assign(socket, { listener }),
    openLink: (options: RoomLinkOptions) => {
      const link = new FakeLink(options);
      links.push(link);
      return link;
    },
  } satisfies CallPorts;
  return {
    ...ports,
    user,
    live,
    socket,
    links,
    setMedia: (media: LocalMedia) => localMedia.setState({ media }),
    loseHold,
    endLocalTrack: () => trackEndings.forEach((tell) => tell()),
  };
}

/** A tab lock that this tab has, until `loseHold` gives it to another tab. */
function fakeTab() {
  const listeners = new Set<() => void>();
  return {
    tabLock: {
      isHeld: true,
      tryTake: vi.fn<() => Promise<boolean>>(() => Promise.resolve(true)),
      take: () => Promise.resolve(),
      waitInLine: vi.fn<(onTaken: () => void) => Promise<void>>(() => Promise.resolve()),
      release: vi.fn<() => void>(),
    },
    takeTabLock: vi.fn<() => Promise<void>>(() => Promise.resolve()),
    onTabLockLost: (lost: () => void) => {
      listeners.add(lost);
      return () => listeners.delete(lost);
    },
    loseHold: () => listeners.forEach((lost) => lost()),
  };
}

/** Prepares no offer, and never loads credentials. */
function fakeOffers() {
  return {
    credentials: {
      present: null,
      current: vi.fn<CallPorts["credentials"]["current"]>(() => new Promise(() => undefined)),
      forget: vi.fn<() => void>(),
    },
    offers: {
      prepare: vi.fn<CallPorts["offers"]["prepare"]>(() => Promise.resolve()),
      peek: vi.fn<CallPorts["offers"]["peek"]>(() => null),
      take: vi.fn<CallPorts["offers"]["take"]>(() => null),
      useStream: vi.fn<CallPorts["offers"]["useStream"]>(),
      openSpare: vi.fn<() => void>(),
      openSpareForNext: vi.fn<() => void>(),
      makeSpare: vi.fn<CallPorts["offers"]["makeSpare"]>(),
      takeSpare: vi.fn<CallPorts["offers"]["takeSpare"]>(() => null),
      drop: vi.fn<() => void>(),
    },
  };
}
