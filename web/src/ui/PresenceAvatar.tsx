import type { ReactNode } from "react";
import { Avatar } from "#ui/Avatar.tsx";
import styles from "#ui/PresenceAvatar.module.css";

/** A person's picture with a dot for presence, and none without; the words for it stand beside it. */
export function PresenceAvatar(props: {
  src: string;
  name: string;
  presence: "online" | "away" | "offline" | null;
  sizePx: number;
}): ReactNode {
  const { presence } = props;
  return (
    <span className={styles.avatar}>
      <Avatar src={props.src} name={props.name} sizePx={props.sizePx} />
      {presence !== null && presence !== "offline" && <i data-presence={presence} aria-hidden="true" />}
    </span>
  );
}
