import { memo, type ReactNode, type RefObject } from "react";
import { useStore } from "zustand";
import { isInRoom } from "#features/call/machine/call-state.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useChosenDevices } from "#lib/media/local-media.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { setPlayback, usePlayback } from "./remote-playback.ts";
import { isCovered, useVideoShown } from "./video-shown.ts";

/**
 * The remote video itself. Its element exists from the search on and follows the call without the screens' delay: a
 * match changes only its attributes, and the first frame waits for no drawing. What the frame checks hide, it blurs, and
 * what they hide for a reason is grey as well.
 */
export const RemotePicture = memo(function RemotePicture(props: {
  video: RefObject<HTMLVideoElement | null>;
}): ReactNode {
  const t = useT();
  const call = useStore(callStore, (now) => now.call);
  const remote = useStore(callStore, (now) => now.remote);
  const other = useStore(callStore, (now) => now.other);
  const { speakerId } = useChosenDevices();
  const { remoteFrameShown } = useCallRuntime();
  const room = isInRoom(call) ? call : null;
  const roomId = room?.match.roomId ?? null;
  const { volumePercent, presses } = usePlayback(roomId);
  const shown = useVideoShown(room);
  const isClear = shown === "shown";
  const isLive = room?.status === "in-call";
  const isFrozen = !isLive || room.media === "reconnecting";
  const isHidden = isLive && isCovered(other);
  return (
    <StreamVideo
      key={presses}
      stream={room && remote}
      label={room ? t("call.remote", { name: isolate(room.match.remote.nickname) }) : undefined}
      volume={volumePercent / 100}
      speakerId={speakerId}
      blurred={!isClear || (isLive && isFrozen)}
      grey={shown === "hidden" || shown === "weak" || shown === "busy"}
      clear={isClear}
      hidden={isHidden}
      onFirstFrame={() => roomId !== null && remoteFrameShown(roomId)}
      onBlocked={(blocked) => roomId !== null && setPlayback(roomId, { blocked })}
      video={props.video}
      mayFloat={isClear && !isFrozen && !isHidden}
    />
  );
});
