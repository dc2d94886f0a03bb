import type { CSSProperties, ReactNode } from "react";
import { Bean } from "#ui/Bean.tsx";
import styles from "./Pile.module.css";

/** Where the beans of a pile of so many lie, in pixels of its 52. */
const spots: readonly (readonly (readonly [x: number, y: number])[])[] = [
  [[15, 15]],
  [
    [6, 15],
    [23, 15],
  ],
  [
    [15, 7],
    [6, 22],
    [23, 22],
  ],
  [
    [15, 7],
    [0, 22],
    [15, 22],
    [30, 22],
  ],
  [
    [8, 7],
    [23, 7],
    [0, 22],
    [15, 22],
    [30, 22],
  ],
  [
    [15, 0],
    [8, 14],
    [23, 14],
    [0, 28],
    [15, 28],
    [30, 28],
  ],
];

/** A pile of 1 to 6 beans: more for a larger pack. Decoration beside the amount. */
export function Pile({ count }: { count: number }): ReactNode {
  return (
    <span className={styles.pile} aria-hidden="true">
      {spots[count - 1]?.map(([x, y]) => (
        <span key={`${x} ${y}`} style={{ left: x, top: y } as CSSProperties}>
          <Bean size={22} />
        </span>
      ))}
    </span>
  );
}
