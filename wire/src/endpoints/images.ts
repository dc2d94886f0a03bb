import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { ownImageSchema } from "../images.ts";
import { formFieldBytesMax, identifierLengthMax, imageBytesMax } from "../limits.ts";

const imageId = formText(1, identifierLengthMax);
/** The own pictures: the newest avatar that waits or was refused, and the photos in their order. */
const ownImages = v.object({ avatar: v.nullable(ownImageSchema), photos: v.array(ownImageSchema) });

export const imageUpload = endpoint({
  path: "/api/image/upload",
  summary: "Upload a picture (JPEG, PNG or WebP); it shows nowhere until it is used",
  access: "complete",
  input: {},
  file: { field: "file", bytesMax: imageBytesMax },
  bodyBytesMax: imageBytesMax + 2 * formFieldBytesMax,
  output: ownImageSchema,
});

export const imageAdd = endpoint({
  path: "/api/user/image/add",
  summary: "Put an uploaded picture among one's photos, to be reviewed",
  access: "complete",
  input: { user_id: formUserId, id: imageId },
  output: ownImages,
});

export const imageDel = endpoint({
  path: "/api/user/image/del",
  summary: "Remove a photo, or the avatar that waits or was refused",
  access: "complete",
  input: { user_id: formUserId, id: imageId },
  output: ownImages,
});

export const imageOrder = endpoint({
  path: "/api/user/image/order",
  summary: "Put all photos into this order",
  access: "complete",
  input: {
    user_id: formUserId,
    /** Every photo's id once, joined by commas. */
    ids: formText(1, 4_096),
  },
  output: ownImages,
});

export const newPhoto = endpoint({
  path: "/api/new/photo",
  summary: "The own pictures with the state of their review",
  access: "user",
  input: { user_id: formUserId },
  output: ownImages,
});
