import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { formFieldBytesMax, identifierLengthMax, inspectedFrame } from "../limits.ts";

export const videoInspect = endpoint({
  path: "/api/video/inspect",
  summary: "Upload the video frame that a ticket requested: the user's own, or the received one",
  access: "complete",
  opensOnce: true,
  input: {
    user_id: formUserId,
    /** Room of the call; empty during a search. */
    room_id: formText(0, identifierLengthMax),
    /** From the socket message `inspect`; opens once. */
    ticket: formText(1, identifierLengthMax),
  },
  file: { field: "frame", bytesMax: inspectedFrame.bytesMax },
  bodyBytesMax: inspectedFrame.bytesMax + 2 * formFieldBytesMax,
  output: v.object({}),
});
