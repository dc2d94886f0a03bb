import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Chip.module.css";

/**
 * A few words on a round ground, which says something and is not pressed. plain: quiet. bean: an amount of beans. brand,
 * danger: good and bad. video: over a picture. small: beside a name.
 */
export function Chip(props: {
  tone?: "plain" | "bean" | "brand" | "danger" | "video";
  small?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  const { tone = "plain", small = false, className, children } = props;
  return <span className={classNames(styles.chip, styles[tone], small && styles.small, className)}>{children}</span>;
}
