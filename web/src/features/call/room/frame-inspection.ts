import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import type { CallPorts } from "#features/call/machine/call-ports.ts";
import { isInRoom } from "#features/call/machine/call-state.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { areSearchChecksTold, ownVideoUnseen, shownStream } from "#features/call/machine/search-media.ts";
import { type FrameAsked, FrameSampler } from "#lib/media/frame-sampler.ts";
import type { LocalMedia } from "#lib/media/local-media.ts";

/** The room id in frame requests of the server during a search. */
const searchRoomId = "";

type FramePorts = Pick<CallPorts, "upload" | "takePicture" | "localMedia" | "currentUser">;

/** Sends the frames that the server requests: of the room, and local ones in a search (SAFE-245). */
export class FrameInspection {
  readonly #ports: FramePorts;
  readonly #tellUnseen: (why: SearchMediaState) => void;
  readonly #sampler: FrameSampler;

  /** @param tellUnseen is called with the reason when a frame requested during a search cannot be captured */
  constructor(ports: FramePorts, tellUnseen: (why: SearchMediaState) => void) {
    this.#ports = ports;
    this.#tellUnseen = tellUnseen;
    this.#sampler = new FrameSampler({
      trackOf: (asked) => this.#trackOf(asked),
      take: ports.takePicture,
      isHidden: () => document.hidden,
      send: async ({ roomId, ticket }, file, signal) => {
        const user = ports.currentUser();
        if (!user) return;
        const input = { user_id: user.user_id, room_id: roomId, ticket };
        await ports.upload(videoInspect, { input, file }, { quiet: true, signal });
      },
    });
  }

  ask(asked: FrameAsked): void {
    if (asked.roomId !== presentRoom()) return;
    // The server does not know the state of the camera before the search.
    const why = asked.roomId === searchRoomId ? ownVideoUnseen(this.#media) : null;
    if (why) this.#tellUnseen(why);
    else this.#sampler.ask(asked);
  }

  /** Drops the pending frame requests when the room changes. Returns a function that stops. */
  follow(): () => void {
    let roomId = presentRoom();
    const stop = callStore.subscribe(() => {
      const present = presentRoom();
      if (present !== roomId) this.#sampler.stop();
      roomId = present;
    });
    return () => {
      stop();
      this.#sampler.stop();
    };
  }

  get #media(): LocalMedia {
    return this.#ports.localMedia.getState().media;
  }

  /** Null for a camera that is off: the server knows that state, and a black frame proves nothing. */
  #trackOf({ roomId, view }: FrameAsked): MediaStreamTrack | null {
    if (roomId !== presentRoom()) return null;
    if (view === "received") return running(callStore.getState().remote);
    if (roomId === searchRoomId && ownVideoUnseen(this.#media) !== null) return null;
    return running(shownStream(this.#media));
  }
}

function running(stream: MediaStream | null): MediaStreamTrack | null {
  return stream?.getVideoTracks().find(({ readyState }) => readyState === "live") ?? null;
}

/** The room whose frames the server may request; null: none, as in a search before the user was told of the checks. */
function presentRoom(): string | null {
  const { call } = callStore.getState();
  if (isInRoom(call)) return call.match.roomId;
  return call.status === "searching" && areSearchChecksTold() ? searchRoomId : null;
}
