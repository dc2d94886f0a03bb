import type { ReactNode } from "react";
import styles from "#ui/Portrait.module.css";

/**
 * A drawn person who fills its place, in the role of a photograph; hidden from screen readers. `svg` is the text of a
 * file of `portraits/`, inlined so that it is painted with the text. Wide ones are for places that are wider than high:
 * they show more of the room, and the whole face.
 */
export function Portrait({ svg }: { svg: string }): ReactNode {
  // Inline, indentation and namespace are superfluous bytes of the first response.
  const html = svg.replaceAll(/>\s+</g, "><").replace(' xmlns="http://www.w3.org/2000/svg"', "");
  return <span className={styles.portrait} aria-hidden="true" dangerouslySetInnerHTML={{ __html: html }} />;
}
