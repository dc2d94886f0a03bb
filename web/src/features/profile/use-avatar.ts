import { useState } from "react";
import { newPhoto } from "@fava/wire/endpoints/images.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { imageEdgePx } from "@fava/wire/limits.ts";
import { request } from "#lib/api/request.ts";
import { replaceUser } from "#lib/session.ts";
import { type CropFrame, cropPhoto, openPhoto, rectOf } from "./photo-file.ts";
import type { OwnImagesView } from "./use-own-images.ts";
import { type Upload, useUpload } from "./use-upload.ts";

export interface AvatarChange {
  /** The image that is being cropped. */
  readonly picture: ImageBitmap | null;
  readonly upload: Upload;
  readonly open: (file: File) => void;
  /** Uploads the chosen crop. */
  readonly use: (frame: CropFrame) => void;
  /** Cancels the cropping. */
  readonly drop: () => void;
}

/** The smallest crop is a fifth of the shorter edge, and still as large as its display. */
const cropEdgePx = 3_200;

/** A new avatar: chosen, cropped, uploaded, and then waiting for its review. */
export function useAvatar(userId: number, own: OwnImagesView): AvatarChange {
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const upload = useUpload(userId, async (image) => {
    replaceUser(await request(userUpdate, { user_id: userId, avatar: image.id }));
    await own.change(() => request(newPhoto, { user_id: userId }, { quiet: true }));
  });
  const drop = () => {
    picture?.close();
    setPicture(null);
  };
  return {
    picture,
    upload,
    open: (file) => void openPhoto(file, cropEdgePx).then(setPicture, upload.refuse),
    use(frame) {
      if (!picture) return;
      setPicture(null);
      void upload.start(async () => {
        try {
          return await cropPhoto(picture, rectOf(frame), imageEdgePx);
        } finally {
          picture.close();
        }
      });
    },
    drop,
  };
}
