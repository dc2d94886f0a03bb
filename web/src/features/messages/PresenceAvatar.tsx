import type { ReactNode } from "react";
import type { Presence } from "@fava/wire/people.ts";
import { Avatar } from "#ui/Avatar.tsx";
import styles from "./Messages.module.css";

/** A friend's picture with a dot for presence; the words for it stand beside it. */
export function PresenceAvatar(props: {
  src: string;
  name: string;
  presence: Presence | null;
  sizePx: number;
}): ReactNode {
  return (
    <span className={styles.avatar}>
      <Avatar src={props.src} name={props.name} sizePx={props.sizePx} />
      {props.presence !== null && props.presence !== "offline" && (
        <i data-presence={props.presence} aria-hidden="true" />
      )}
    </span>
  );
}
