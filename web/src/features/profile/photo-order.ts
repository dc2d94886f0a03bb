import type { OwnImage } from "@fava/wire/images.ts";

/** The photos with one of them at another place, 0 the first; the same list when it stands there or is not there. */
export function movedPhoto(photos: readonly OwnImage[], id: string, to: number): readonly OwnImage[] {
  const from = photos.findIndex((photo) => photo.id === id);
  const photo = photos[from];
  const place = Math.min(photos.length - 1, Math.max(0, to));
  if (!photo || from === place) return photos;
  const others = photos.filter((other) => other !== photo);
  return [...others.slice(0, place), photo, ...others.slice(place)];
}
