/** How far a key moves in a grid read in lines; null where it moves nothing. */
export function moveOf(
  key: string,
  { columns, rightToLeft }: { columns: number; rightToLeft: boolean },
): number | null {
  switch (key) {
    case "ArrowRight":
      return rightToLeft ? -1 : 1;
    case "ArrowLeft":
      return rightToLeft ? 1 : -1;
    case "ArrowDown":
      return columns;
    case "ArrowUp":
      return -columns;
    default:
      return null;
  }
}

/** How many columns a grid has now; 1 where there is none. */
export function columnsOf(grid: Element | null): number {
  if (!grid) return 1;
  return Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(" ").length);
}
