import { type ReactNode, useRef } from "react";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { useT } from "#lib/i18n.ts";
import type { CallView } from "./call-store.ts";
import { ConnectingPanel } from "./ConnectingPanel.tsx";
import { LowBeansBar } from "./LowBeansBar.tsx";
import { OwnNotice } from "./OwnNotice.tsx";
import { LeftPanel } from "./LeftPanel.tsx";
import { togglePictureFit, usePictureWhole } from "./picture-fit.ts";
import { ReconnectingPanel } from "./ReconnectingPanel.tsx";
import { RemotePicture } from "./RemotePicture.tsx";
import { SearchPanel } from "./SearchPanel.tsx";
import { useDoubleTap } from "./use-double-tap.ts";
import { WidenPanel } from "./WidenPanel.tsx";
import styles from "./CallStage.module.css";

/** The big picture: the other person, or the own one blurred while nobody is there. */
export function CallStage({ view }: { view: CallView }): ReactNode {
  const { call } = view;
  const stage = useRef<HTMLElement>(null);
  const whole = usePictureWhole();
  useDoubleTap(stage, togglePictureFit);
  return (
    <section
      ref={stage}
      className={styles.stage}
      data-status={call.status}
      data-whole={(whole && call.status === "in-call") || undefined}
    >
      {(call.status === "searching" || call.status === "returning") && <OwnBlurred />}
      {(call.status === "connecting" || call.status === "in-call") && <RemotePicture view={view} room={call} />}
      {call.status === "searching" && call.widen && <WidenPanel search={call} />}
      {call.status === "searching" && !call.widen && call.previous && (
        <LeftPanel search={call} previous={call.previous} />
      )}
      {call.status === "searching" && !call.widen && !call.previous && <SearchPanel search={call} />}
      {call.status === "returning" && <ConnectingPanel remote={call.match.remote} returns />}
      {call.status === "connecting" && (
        <ConnectingPanel remote={call.match.remote} returns={call.match.returned !== null} />
      )}
      {call.status === "in-call" && <OwnNotice room={call} />}
      {call.status === "in-call" && <LowBeansBar key={call.match.roomId} room={call} />}
      {call.status === "in-call" && call.media === "reconnecting" && (
        <ReconnectingPanel remote={call.match.remote} peer={call.peer} />
      )}
    </section>
  );
}

function OwnBlurred(): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  if (media.status !== "live" || !media.cameraOn) return null;
  return (
    <div aria-hidden="true">
      <StreamVideo stream={media.stream} muted mirrored blurred label={t("call.you")} />
    </div>
  );
}
