import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { ownImageSchema } from "../images.ts";
import { formFieldBytesMax, identifierLengthMax, imageBytesMax } from "../limits.ts";

const imageId = formText(1, identifierLengthMax);
/** The user's own pictures: the newest avatar that is pending or refused, and the photos in their order. */
const ownImages = v.object({ avatar: v.nullable(ownImageSchema), photos: v.array(ownImageSchema) });

export const imageUpload = endpoint({
  path: "/api/image/upload",
  summary: "Upload a picture (JPEG, PNG or WebP); it stays private until it is used",
  access: "complete",
  input: {},
  file: { field: "file", bytesMax: imageBytesMax },
  bodyBytesMax: imageBytesMax + 2 * formFieldBytesMax,
  output: ownImageSchema,
});

export const imageAdd = endpoint({
  path: "/api/user/image/add",
  summary: "Add an uploaded picture to the user's photos, for review",
  access: "complete",
  input: { user_id: formUserId, id: imageId },
  output: ownImages,
});

export const imageDel = endpoint({
  path: "/api/user/image/del",
  summary: "Remove a photo, or a pending or refused avatar",
  access: "complete",
  input: { user_id: formUserId, id: imageId },
  output: ownImages,
});

export const imageOrder = endpoint({
  path: "/api/user/image/order",
  summary: "Reorder the photos",
  access: "complete",
  input: {
    user_id: formUserId,
    /** Every photo's id exactly once, joined by commas. */
    ids: formText(1, 4_096),
  },
  output: ownImages,
});

export const newPhoto = endpoint({
  path: "/api/new/photo",
  summary: "The user's own pictures with their review state",
  access: "user",
  input: { user_id: formUserId },
  output: ownImages,
});
