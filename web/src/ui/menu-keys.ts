/**
 * The item to which a key moves the focus in an open menu, or null for any other key. `labels` are the items' texts in
 * order, `from` the focused one or -1.
 */
export function nextMenuIndex(key: string, from: number, labels: readonly string[]): number | null {
  const last = labels.length - 1;
  if (last < 0) return null;
  switch (key) {
    case "ArrowDown":
      return from >= last ? 0 : from + 1;
    case "ArrowUp":
      return from <= 0 ? last : from - 1;
    case "Home":
    case "PageUp":
      return 0;
    case "End":
    case "PageDown":
      return last;
    default:
      return key.length === 1 && key.trim() !== "" ? startingWith(key, from, labels) : null;
  }
}

/** The next item that starts with a letter, from the focused one on and around the end. */
function startingWith(letter: string, from: number, labels: readonly string[]): number | null {
  const wanted = letter.toLocaleLowerCase();
  for (let step = 1; step <= labels.length; step += 1) {
    const index = (from + step + labels.length) % labels.length;
    if (labels[index]?.trim().toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
