import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { formFieldBytesMax, identifierLengthMax, inspectedFrame } from "../limits.ts";

export const videoInspect = endpoint({
  path: "/api/video/inspect",
  summary: "The picture that a ticket of the server asked for: the own one, or the one that is received",
  access: "complete",
  opensOnce: true,
  input: {
    user_id: formUserId,
    /** Empty while one searches. */
    room_id: formText(0, identifierLengthMax),
    /** From the frame `inspect` of the socket; opens once. */
    ticket: formText(1, identifierLengthMax),
  },
  file: { field: "frame", bytesMax: inspectedFrame.bytesMax },
  bodyBytesMax: inspectedFrame.bytesMax + 2 * formFieldBytesMax,
  output: v.object({}),
});
