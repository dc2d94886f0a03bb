/**
 * Why camera and microphone cannot be used. denied: by the user or the browser. missing: one of the two does not exist.
 * busy: another application uses it. unsupported: this browser cannot have calls (`missingCallSupport`), or gives this page no
 * devices (plain HTTP).
 */
export type MediaFailure =
  | { reason: "denied" }
  | { reason: "missing"; camera: boolean; microphone: boolean }
  | { reason: "busy" }
  | { reason: "unsupported"; isOld: boolean };

/** Maps an error of getUserMedia (Media Capture and Streams, section 10.2). */
export function failureOf(error: unknown, found: { camera: boolean; microphone: boolean }): MediaFailure {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return { reason: "denied" };
    case "NotFoundError":
    case "OverconstrainedError":
      // A device that is listed but not found was just removed: the next attempt lists again.
      return { reason: "missing", ...found };
    case "TypeError":
      return { reason: "unsupported", isOld: false };
    default:
      return { reason: "busy" };
  }
}
