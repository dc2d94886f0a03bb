import { useState, type ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Avatar.module.css";

/**
 * A user's round image, or the first letter of the name if there is none or it does not load. Decorative: the name
 * is beside it.
 */
export function Avatar({ src, name, sizePx = 44 }: { src: string; name: string; sizePx?: number }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  const style = { width: sizePx, height: sizePx, fontSize: Math.round(sizePx * 0.42) };
  if (src !== "" && failed !== src)
    return <img className={styles.avatar} style={style} src={src} alt="" onError={() => setFailed(src)} />;
  const letter = Array.from(name.trim())[0]?.toLocaleUpperCase() ?? "";
  return (
    <span className={classNames(styles.avatar, styles.letter)} style={style} translate="no" aria-hidden="true">
      {letter}
    </span>
  );
}
