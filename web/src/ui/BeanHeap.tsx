import type { ReactNode } from "react";
import { BeanShape } from "#ui/Bean.tsx";

export type HeapSize = "small" | "middle" | "large";

/** Beans in the rows of each heap, from the top. */
const heapRows: Readonly<Record<HeapSize, readonly number[]>> = {
  small: [1, 2],
  middle: [1, 2, 3],
  large: [1, 2, 3, 4],
};
/** Each bean is turned by another of these angles, in degrees. */
const turns = [-12, 9, -4, 16, -18, 5, 13, -8, 2, -14] as const;

/** A heap of beans for an amount, 52 by 52; decorative. */
export function BeanHeap({ size }: { size: HeapSize }): ReactNode {
  return (
    <svg width={52} height={52} viewBox="0 0 52 52" aria-hidden="true" data-heap={size}>
      {placesOf(heapRows[size]).map(([x, y], index) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y}) rotate(${turns[index % turns.length]} 9 9) scale(0.75)`}>
          <BeanShape />
          {/* Its shade sets it off from the beans behind. */}
          <path
            d="M21.9 9.6c.1 7-5.6 12.6-11.7 12.2-2.9-.2-5.3-1.5-6.7-3.5 2 1 4.3 1.2 6.6.8 5.9-.9 10.3-4.7 11.8-9.5z"
            fill="#d6901a"
          />
        </g>
      ))}
    </svg>
  );
}

/** The corner of each bean, from the top row to the bottom one, which lies in front. */
function placesOf(rows: readonly number[]): readonly (readonly [x: number, y: number])[] {
  const top = (52 - (18 + (rows.length - 1) * 10.5)) / 2;
  return rows.flatMap((beans, row) => {
    const first = (52 - (18 + (beans - 1) * 11.3)) / 2;
    return Array.from({ length: beans }, (_, index) => [first + index * 11.3, top + row * 10.5] as const);
  });
}
