import { meetingShownMs } from "@fava/wire/limits.ts";
import { type ReactNode, useEffect, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { sharedText } from "#features/people/shared-tags.ts";
import { useT } from "#lib/i18n.ts";
import { Flag } from "#ui/Flag.tsx";
import styles from "./Meeting.module.css";

/**
 * The first moments of a call: the partner's name stands large until it shrinks into the plate. Screen readers hear the
 * same from `CallAnnouncer`.
 */
export function Meeting({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const { remote, returned } = room.match;
  const [isOver, setOver] = useState(returned !== null);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), meetingShownMs);
    return () => clearTimeout(timer);
  }, []);
  if (isOver) return null;
  const shared = sharedText(t, remote.shared);
  return (
    <div className={styles.meeting} data-meeting aria-hidden="true">
      <p>
        <b>
          <bdi translate="no">{remote.nickname}</bdi>
        </b>
        <span>
          <Flag src={remote.country_flag} widthPx={24} />
          <bdi>{remote.country_name}</bdi>
        </span>
        {shared !== null && <span>{shared}</span>}
      </p>
    </div>
  );
}

/** The ring of the search. It stays closed around a video that is being checked, and opens onto each video shown. */
export function Iris({ isClosed }: { isClosed: boolean }): ReactNode {
  return (
    <div className={styles.iris} data-iris={isClosed ? "closed" : "open"} aria-hidden="true">
      <i />
      <i />
    </div>
  );
}
