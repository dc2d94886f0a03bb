import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Button.module.css";

/**
 * go: the green step that goes on, once a screen. ink: as strong, but not "go". quiet: the other choice. plain: text
 * only. outline: equal choices beside each other. danger: ends something.
 */
type ButtonKind = "go" | "ink" | "quiet" | "plain" | "outline" | "danger";
/** small 44 px, medium 56 px, large 68 px high. */
type ButtonSize = "small" | "medium" | "large";

export interface ButtonVariant {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** Round ends, for the header. */
  pill?: boolean;
  /** As wide as its place. */
  block?: boolean;
}

export interface ButtonProps extends ButtonVariant, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  children: ReactNode;
  icon?: ReactNode;
  /** Shows that the press is being worked on; presses are ignored meanwhile. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonVariant, extra?: string): string {
  const { kind = "quiet", size = "medium", pill = false, block = false } = look;
  return classNames(styles.button, styles[kind], styles[size], pill && styles.pill, block && styles.block, extra);
}

/**
 * A button. With `aria-disabled` it stays focusable and still calls `onClick`, so that it can say why it does nothing;
 * with `disabled` it is out of reach.
 */
export function Button(props: ButtonProps): ReactNode {
  const { kind, size, pill, block, icon, loading = false, className, children, onClick, ...rest } = props;
  const look: ButtonVariant = {
    ...(kind && { kind }),
    ...(size && { size }),
    pill: pill ?? false,
    block: block ?? false,
  };
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (!loading) onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, className)}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest["aria-disabled"] || undefined}
      onClick={click}
    >
      {loading ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      {/* An element of its own, because a page translator replaces bare text, and then nothing can be put before it. */}
      <span className={styles.words}>{children}</span>
    </button>
  );
}
