/** The old key code of whatever an input method takes. */
const takenKeyCode = 229;

/**
 * Whether a press belongs to an input method that composes, such as the one that takes a proposal or closes the list of
 * them, and so means nothing to the page. Safari ends the composing before it tells of that press: then the old key code
 * alone says so.
 */
export function isComposing(press: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return press.isComposing || press.keyCode === takenKeyCode;
}
