import { type ReactNode, useRef } from "react";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { useReach } from "#lib/connection.ts";
import { useT } from "#lib/i18n.ts";
import { AwayPanel } from "./AwayPanel.tsx";
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
  const isAway = useReach() !== "fine";
  const search = call.status === "searching" && !isAway ? call : null;
  return (
    <section
      ref={stage}
      className={styles.stage}
      data-status={call.status}
      data-whole={(whole && call.status === "in-call") || undefined}
    >
      {(call.status === "searching" || call.status === "returning") && <OwnBlurred />}
      {(call.status === "connecting" || call.status === "in-call") && <RemotePicture view={view} room={call} />}
      {call.status === "searching" && isAway && <AwayPanel />}
      {search?.widen && <WidenPanel search={search} />}
      {search && !search.widen && search.previous && <LeftPanel search={search} previous={search.previous} />}
      {search && !search.widen && !search.previous && <SearchPanel search={search} />}
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
