import type { ReactNode } from "react";
import { Avatar } from "#ui/Avatar.tsx";
import styles from "#ui/PresenceAvatar.module.css";

/** A user's avatar, with a dot for a known presence. The text for the dot is beside it. */
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
