import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./Messages.module.css";

/** The back button; without `always` only on a phone, because a desktop shows both columns. */
export function BackArrow(props: { label: string; onPress: () => void; always?: boolean }): ReactNode {
  return (
    <IconButton
      className={props.always ? undefined : styles.onlyPhone}
      label={props.label}
      icon={<ArrowLeft size={22} className="flip" aria-hidden="true" />}
      onClick={props.onPress}
    />
  );
}
