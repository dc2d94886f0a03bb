import { useState } from "react";
import { imageAdd, imageDel, imageOrder } from "@fava/wire/endpoints/images.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { imageEdgePx } from "@fava/wire/limits.ts";
import { request } from "#lib/api/request.ts";
import { cropPhoto, openPhoto } from "./photo-file.ts";
import type { OwnImagesView } from "./use-own-images.ts";
import { type UploadState, useUpload } from "./use-upload.ts";

export interface Photos {
  readonly photos: readonly OwnImage[];
  readonly upload: UploadState;
  /** The last change of the photos failed. */
  readonly failed: boolean;
  readonly add: (file: File) => void;
  readonly stop: () => void;
  readonly remove: (id: string) => void;
  /** Shows a photo at another place without storing it, while it is dragged; null: the stored order. */
  readonly show: (dragged: { id: string; to: number } | null) => void;
  readonly move: (id: string, to: number) => void;
}

const none: readonly OwnImage[] = [];

/** The photos of the user's profile: every change is stored at once, and reverted when the server rejects it. */
export function usePhotos(userId: number, own: OwnImagesView): Photos {
  const [dragged, setDragged] = useState<{ id: string; to: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const upload = useUpload(userId, async (image) => {
    const failure = await own.change(() => request(imageAdd, { user_id: userId, id: image.id }));
    if (failure) throw failure;
  });
  const stored = own.images?.photos ?? none;
  const photos = dragged ? movedPhoto(stored, dragged.id, dragged.to) : stored;

  async function change(...how: Parameters<OwnImagesView["change"]>): Promise<void> {
    setFailed((await own.change(...how)) !== null);
  }

  function store(ordered: readonly OwnImage[]): void {
    if (!own.images || ordered === stored) return;
    const ids = ordered.map(({ id }) => id).join(",");
    void change(() => request(imageOrder, { user_id: userId, ids }), {
      ...own.images,
      photos: [...ordered],
    });
  }

  return {
    photos,
    upload: upload.state,
    failed,
    add: (file) => void upload.start(() => wholePicture(file)),
    stop: upload.stop,
    remove(id) {
      if (!own.images) return;
      const rest = { ...own.images, photos: stored.filter((photo) => photo.id !== id) };
      void change(() => request(imageDel, { user_id: userId, id }), rest);
    },
    show: setDragged,
    move(id, to) {
      setDragged(null);
      store(movedPhoto(stored, id, to));
    },
  };
}

async function wholePicture(file: File): Promise<File> {
  const picture = await openPhoto(file, imageEdgePx);
  try {
    return await cropPhoto(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, imageEdgePx);
  } finally {
    picture.close();
  }
}

/** The photos with one of them moved to another place, 0 the first; the same list if nothing changes. */
export function movedPhoto(photos: readonly OwnImage[], id: string, to: number): readonly OwnImage[] {
  const from = photos.findIndex((photo) => photo.id === id);
  const photo = photos[from];
  const place = Math.min(photos.length - 1, Math.max(0, to));
  if (!photo || from === place) return photos;
  const others = photos.filter((other) => other !== photo);
  return [...others.slice(0, place), photo, ...others.slice(place)];
}
