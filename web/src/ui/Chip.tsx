import type { HTMLAttributes, ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Chip.module.css";

/**
 * A rounded label that cannot be pressed. plain: quiet. bean: an amount of beans. brand, danger: good and bad. video:
 * over a video. small: beside a name.
 */
export function Chip(
  props: {
    tone?: "plain" | "bean" | "brand" | "danger" | "video";
    small?: boolean;
  } & HTMLAttributes<HTMLSpanElement>,
): ReactNode {
  const { tone = "plain", small = false, className, ...rest } = props;
  return <span {...rest} className={classNames(styles.chip, styles[tone], small && styles.small, className)} />;
}
