/**
 * Why camera and microphone cannot be used. denied: the person or the browser said no. missing: one of the two is not
 * there. busy: another application holds it. unsupported: this browser cannot have calls
 * (`whyNoCalls`), or gives this page no devices (plain http).
 */
export type MediaFailure =
  | { reason: "denied" }
  | { reason: "missing"; camera: boolean; microphone: boolean }
  | { reason: "busy" }
  | { reason: "unsupported"; isOld: boolean };

/** What an error of getUserMedia means (Media Capture and Streams, section 10.2). */
export function failureOf(error: unknown, found: { camera: boolean; microphone: boolean }): MediaFailure {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return { reason: "denied" };
    case "NotFoundError":
    case "OverconstrainedError":
      // A device that is listed and yet not found went away in this moment: the list is asked anew by the next try.
      return { reason: "missing", ...found };
    case "TypeError":
      return { reason: "unsupported", isOld: false };
    default:
      return { reason: "busy" };
  }
}
