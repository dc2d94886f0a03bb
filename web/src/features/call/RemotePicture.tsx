import { EyeOff, MicOff, Play, VolumeX } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { remoteVolumePercent } from "@fava/wire/limits.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useChosenDevices } from "#lib/media/local-media.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { remoteFrameShown } from "./call.ts";
import type { InRoom } from "./call-state.ts";
import type { CallView } from "./call-store.ts";
import { PanicButton } from "./PanicButton.tsx";
import { PersonActions } from "./PersonActions.tsx";
import { PersonBadge } from "./PersonBadge.tsx";
import { PictureInPictureButton } from "./PictureInPictureButton.tsx";
import { setKeepBlurred, useKeepBlurred, usePictureShown } from "./picture-shown.ts";
import { ShieldPanel } from "./ShieldPanel.tsx";
import { useNow } from "./use-now.ts";
import { useRelationInCall } from "./use-relation-in-call.ts";
import { VolumeControl } from "./VolumeControl.tsx";
import styles from "./CallStage.module.css";

/** The other person's picture with who it is; their avatar while their camera is off (rules CALL-4, CALL-6). */
export function RemotePicture({ view, room }: { view: CallView; room: InRoom }): ReactNode {
  const t = useT();
  const [volume, setVolume] = useState(remoteVolumePercent);
  const [blocked, setBlocked] = useState<"sound" | "all" | null>(null);
  const [presses, setPresses] = useState(0);
  const video = useRef<HTMLVideoElement>(null);
  const { speakerId } = useChosenDevices();
  const { remote: person } = room.match;
  const relation = useRelationInCall(person, room.status === "in-call");
  const name = isolate(person.nickname);
  const covered = room.status === "in-call" && (!view.other.cameraOn || view.other.away);
  const shown = usePictureShown(room);
  const blurred = shown !== "shown";
  const frozen = room.status === "connecting" || room.media === "reconnecting";
  function playAgain(): void {
    setBlocked(null);
    // A new element, which plays for this press.
    setPresses(presses + 1);
  }
  return (
    <>
      {view.remote && (
        <StreamVideo
          key={`${room.match.roomId} ${presses}`}
          stream={view.remote}
          label={t("call.remote", { name })}
          volume={volume / 100}
          speakerId={speakerId}
          blurred={frozen || blurred}
          grey={blurred}
          hidden={covered}
          onFirstFrame={() => remoteFrameShown(room.match.roomId)}
          onBlocked={setBlocked}
          video={video}
          mayFloat={!frozen && !blurred && !covered}
        />
      )}
      {covered && (
        <div className={styles.covered}>
          <Avatar src={blurred ? "" : person.avatar} name={person.nickname} sizePx={120} />
          <p>{t(view.other.away ? "call.away" : "call.cameraOff", { name })}</p>
        </div>
      )}
      {/* What is shown of a picture that is blurred has a heading of its own. */}
      {!frozen && !blurred && (
        <h1 className="visually-hidden">{t("call.matched", { name, country: person.country_name })}</h1>
      )}
      {!covered && !frozen && blocked !== "all" && <ShieldPanel room={room} shown={shown} />}
      {blocked && (
        <button type="button" className={styles.play} onClick={playAgain}>
          {blocked === "all" ? (
            <Play size={28} fill="currentColor" aria-hidden="true" />
          ) : (
            <VolumeX size={28} aria-hidden="true" />
          )}
          {t(blocked === "all" ? "call.play" : "call.hear")}
        </button>
      )}
      {room.status === "in-call" && (
        <>
          <div className={styles.head}>
            <PersonBadge person={person} relation={relation} faceless={blurred} />
            <PersonActions match={room.match} />
            <div className={styles.meta} data-fades>
              {!blurred && !covered && <PictureInPictureButton video={video} />}
              <BlurSwitch />
              {/* While nothing arrives there is nothing to hear either. */}
              {!view.other.microphoneOn && !frozen && (
                <span>
                  <MicOff size={18} aria-hidden="true" />
                  {t("call.micOff")}
                </span>
              )}
              <Elapsed sinceMs={room.startedAtMs} />
            </div>
          </div>
          <PanicButton />
          <VolumeControl percent={volume} onChange={setVolume} />
        </>
      )}
    </>
  );
}

/** Pictures stay blurred until they are asked for (rule SAFE-210). */
function BlurSwitch(): ReactNode {
  const t = useT();
  const keep = useKeepBlurred();
  return (
    <IconButton
      kind="video"
      label={t("shield.keep")}
      aria-pressed={keep}
      icon={<EyeOff size={20} />}
      onClick={() => setKeepBlurred(!keep)}
    />
  );
}

function Elapsed({ sinceMs }: { sinceMs: number }): ReactNode {
  const now = useNow();
  return (
    <span role="timer">
      <i aria-hidden="true" />
      {formatClock((now - sinceMs) / 1_000)}
    </span>
  );
}
