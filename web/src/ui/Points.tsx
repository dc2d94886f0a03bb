import type { ReactNode } from "react";
import styles from "#ui/Points.module.css";

export interface Point {
  icon: ReactNode;
  head: string;
  text: ReactNode;
}

/** A list of a few points, each with an icon and a heading. */
export function Points({ items }: { items: readonly Point[] }): ReactNode {
  return (
    <ul className={styles.points}>
      {items.map((item) => (
        <li key={item.head}>
          <span aria-hidden="true">{item.icon}</span>
          <p>
            <b>{item.head}</b>
            {item.text}
          </p>
        </li>
      ))}
    </ul>
  );
}
