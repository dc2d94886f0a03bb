import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import { isInRoom } from "#features/call/machine/call-state.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { areSearchChecksTold, ownVideoUnseen } from "#features/call/machine/search-media.ts";
import { upload } from "#lib/api/upload.ts";
import { type FrameAsked, FrameSampler, takePicture } from "#lib/media/frame-sampler.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";

/** Stands for the room in what the server asks of somebody who searches. */
const searchRoomId = "";

/**
 * Sends the pictures that the server asks for: of the present room (rules SAFE-202, SAFE-203), and the own one while one
 * searches (rule SAFE-245).
 */
export class FrameInspection {
  /** Hears why a picture that is asked for while one searches cannot be taken. */
  readonly #tellUnseen: (why: SearchMediaState) => void;
  readonly #sampler = new FrameSampler({
    trackOf,
    take: takePicture,
    isHidden: () => document.hidden,
    send: async ({ roomId, ticket }, file, signal) => {
      const user = currentUser();
      if (!user) return;
      const input = { user_id: user.user_id, room_id: roomId, ticket };
      await upload(videoInspect, { input, file }, { quiet: true, signal });
    },
  });

  constructor({ tellUnseen }: { tellUnseen: (why: SearchMediaState) => void }) {
    this.#tellUnseen = tellUnseen;
  }

  ask(asked: FrameAsked): void {
    if (asked.roomId !== presentRoom()) return;
    // The server does not know what the camera was before the search.
    const why = asked.roomId === searchRoomId ? ownVideoUnseen() : null;
    if (why) this.#tellUnseen(why);
    else this.#sampler.ask(asked);
  }

  /** Forgets with each room what it was asked for; answers how to stop. */
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
}

/** Nothing of a camera that is switched off: the server knows, and its black picture says nothing. */
function trackOf({ roomId, view }: FrameAsked): MediaStreamTrack | null {
  if (roomId !== presentRoom()) return null;
  if (view === "received") return running(callStore.getState().remote);
  if (roomId === searchRoomId && ownVideoUnseen() !== null) return null;
  const { media } = localMedia.getState();
  return media.status === "live" && media.cameraOn ? running(media.stream) : null;
}

function running(stream: MediaStream | null): MediaStreamTrack | null {
  return stream?.getVideoTracks().find(({ readyState }) => readyState === "live") ?? null;
}

/** Whose pictures may be asked for now; null: nobody's. A search of somebody who was not told of it has no pictures. */
function presentRoom(): string | null {
  const { call } = callStore.getState();
  if (isInRoom(call)) return call.match.roomId;
  return call.status === "searching" && areSearchChecksTold() ? searchRoomId : null;
}
