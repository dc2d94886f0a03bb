import { videoInspect } from "@fava/wire/endpoints/inspection.ts";
import { upload } from "#lib/api/upload.ts";
import { type FrameAsked, FrameSampler, takePicture } from "#lib/media/frame-sampler.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { isInRoom } from "./call-state.ts";
import { callStore } from "./call-store.ts";

/** Sends the pictures of the present room that the server asks for (rules SAFE-202, SAFE-203). */
export class FrameInspection {
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

  ask(asked: FrameAsked): void {
    if (asked.roomId === presentRoom()) this.#sampler.ask(asked);
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
  const { media } = localMedia.getState();
  return media.status === "live" && media.cameraOn ? running(media.stream) : null;
}

function running(stream: MediaStream | null): MediaStreamTrack | null {
  return stream?.getVideoTracks().find(({ readyState }) => readyState === "live") ?? null;
}

function presentRoom(): string | null {
  const { call } = callStore.getState();
  return isInRoom(call) ? call.match.roomId : null;
}
