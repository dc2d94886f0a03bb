import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/IconButton.module.css";

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> {
  /** The name of its action, which is announced and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  /** plain: on the page. filled: with its own background. video: over a video. */
  kind?: "plain" | "filled" | "video";
  /** 44 px, or 56 px for the switches of a call. */
  size?: "medium" | "large";
  ref?: Ref<HTMLButtonElement>;
}

/** The classes of a round button, for elements that a library creates. */
export function iconButtonClass(kind: "plain" | "filled", extra?: string): string {
  return classNames(styles.button, styles[kind], extra);
}

/** A round button with only an icon. */
export function IconButton(props: IconButtonProps): ReactNode {
  const { label, icon, kind = "plain", size = "medium", className, ...rest } = props;
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(styles.button, styles[kind], size === "large" && styles.large, className)}
    >
      {icon}
    </button>
  );
}
