import type { ReactNode } from "react";
import styles from "#ui/Portrait.module.css";

/**
 * A drawn person who fills its place, where another product would show a photograph; hidden from readers. `svg` is the
 * text of a file of `portraits/`, which stands in the page so that it is painted with the words. Wide ones are for
 * places that are wider than high: they show more of the room, and the whole face.
 */
export function Portrait({ svg }: { svg: string }): ReactNode {
  // In a page neither indentation nor namespace is needed; both would take room in its first flight.
  const html = svg.replaceAll(/>\s+</g, "><").replace(' xmlns="http://www.w3.org/2000/svg"', "");
  return <span className={styles.portrait} aria-hidden="true" dangerouslySetInnerHTML={{ __html: html }} />;
}
