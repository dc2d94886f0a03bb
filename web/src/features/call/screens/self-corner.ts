import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { readStored, type Stored, writeStored } from "#lib/storage.ts";

/** The corner of the local video over the remote one; `start` is where lines begin. */
export type Corner = Stored<"selfCorner">;

/** Clockwise, in left-to-right languages. */
const corners: readonly Corner[] = ["top-start", "top-end", "bottom-end", "bottom-start"];

const lyingQuery = "(max-height: 520px) and (orientation: landscape)";

/** Null: the user has not moved it, and each orientation has its default. */
const store = createChoiceStore<{ corner: Corner | null }>(() => ({ corner: readStored("selfCorner") }));

export function useCorner(): Corner | null {
  return useStore(store, ({ corner }) => corner);
}

/** Moves the local video, in this call and later ones. */
export function setCorner(corner: Corner): void {
  writeStored("selfCorner", corner);
  store.setState({ corner });
}

export function cornerNow(): Corner {
  return store.getState().corner ?? (window.matchMedia(lyingQuery).matches ? "bottom-start" : "bottom-end");
}

/** The next corner clockwise: presses alone reach every corner. */
export function nextCorner(corner: Corner): Corner {
  return corners[(corners.indexOf(corner) + 1) % corners.length] ?? corner;
}

/** The corner to which an arrow key moves it; null for any other key. */
export function cornerByKey(corner: Corner, key: string, rightToLeft: boolean): Corner | null {
  const [row, column] = corner.split("-");
  switch (key) {
    case "ArrowUp":
      return `top-${column}` as Corner;
    case "ArrowDown":
      return `bottom-${column}` as Corner;
    case "ArrowLeft":
      return `${row}-${rightToLeft ? "end" : "start"}` as Corner;
    case "ArrowRight":
      return `${row}-${rightToLeft ? "start" : "end"}` as Corner;
    default:
      return null;
  }
}

/** The corner of an area that is nearest to a point in it. */
export function nearestCorner(
  point: { x: number; y: number },
  { width, height }: { width: number; height: number },
  rightToLeft: boolean,
): Corner {
  const isLeft = point.x < width / 2;
  return `${point.y < height / 2 ? "top" : "bottom"}-${isLeft === rightToLeft ? "end" : "start"}`;
}
