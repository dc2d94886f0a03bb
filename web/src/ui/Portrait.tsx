import type { ReactNode } from "react";
import styles from "#ui/Portrait.module.css";

/**
 * A drawn person who fills its place, where another product would show a photograph; hidden from readers. `svg` is the
 * text of a file of `portraits/`, which stands in the page so that it is painted with the words. Wide ones are for
 * places that are wider than high: they show more of the room, and the whole face.
 */
export function Portrait({ svg }: { svg: string }): ReactNode {
  return <span className={styles.portrait} aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />;
}
