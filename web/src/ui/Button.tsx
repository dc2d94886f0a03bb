import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Button.module.css";

/**
 * go: the green primary action, once per screen. ink: as strong, but not green. quiet: the secondary action. plain:
 * text only. outline: equal options beside each other. danger: ends something.
 */
type ButtonKind = "go" | "ink" | "quiet" | "plain" | "outline" | "danger";
/** small 44 px, medium 56 px, large 68 px high. */
type ButtonSize = "small" | "medium" | "large";

export interface ButtonVariant {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** Round ends, for the header. */
  pill?: boolean;
  /** Full width. */
  block?: boolean;
}

export interface ButtonProps extends ButtonVariant, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  children: ReactNode;
  icon?: ReactNode;
  /** Shows that the action is running; ignores presses meanwhile. */
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
 * with `disabled` it cannot be focused.
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
      {/* An element of its own, because a page translator replaces bare text, before which React could then insert nothing. */}
      <span className={styles.words}>{children}</span>
    </button>
  );
}
