import type { ReactNode } from "react";
import styles from "#ui/Note.module.css";

/**
 * A remark with its own background, always visible instead of a tooltip. info: quiet. warning: about beans, or what
 * needs care. danger: a failure. Empty without text, so that an alert may be mounted before there is one.
 */
export function Note(props: {
  tone?: "info" | "warning" | "danger";
  icon?: ReactNode;
  title?: string;
  role?: "alert" | "status" | "note";
  className?: string | undefined;
  children?: ReactNode;
}): ReactNode {
  const { tone = "info", icon, title } = props;
  return (
    <div className={`${styles.note} ${props.className ?? ""}`} data-tone={tone} role={props.role}>
      {icon !== undefined && <span aria-hidden="true">{icon}</span>}
      <p>
        {title !== undefined && <b>{title} </b>}
        <span>{props.children}</span>
      </p>
    </div>
  );
}
