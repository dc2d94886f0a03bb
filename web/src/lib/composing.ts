/** The legacy key code of every key that an input method handles. */
const takenKeyCode = 229;

/**
 * Whether a key press belongs to an input method, such as one that accepts or closes its suggestions. Safari ends the
 * composition before that event, so that only the legacy key code shows it.
 */
export function isComposing(press: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return press.isComposing || press.keyCode === takenKeyCode;
}
