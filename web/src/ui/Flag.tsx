import type { ReactNode } from "react";
import styles from "#ui/Flag.module.css";

/**
 * A country's flag, by the server's address or by its ISO alpha-2 code. Decorative: the country's name is beside
 * it.
 */
export function Flag(props: ({ src: string } | { code: string }) & { widthPx?: number }): ReactNode {
  const { widthPx = 24 } = props;
  const src = "src" in props ? props.src : `/flags/${props.code}.svg`;
  if (src === "") return null;
  const heightPx = Math.round((widthPx * 2) / 3);
  return <img className={styles.flag} src={src} alt="" width={widthPx} height={heightPx} loading="lazy" />;
}
