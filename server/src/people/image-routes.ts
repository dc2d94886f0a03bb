import { badInput } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { ImageReview } from "./image-review.ts";
import type { ImageService } from "./image-service.ts";

type ImageCalls = "imageUpload" | "imageAdd" | "imageDel" | "imageOrder" | "newPhoto";
type ReviewCalls = "adminAvatarList" | "adminAvatarOperate" | "adminImageList" | "adminImageOperate";

export function imageHandlers(images: ImageService, review: ImageReview): Pick<Handlers, ImageCalls | ReviewCalls> {
  return {
    imageUpload: async ({ session, file }) => images.upload(session.userId, file),
    imageAdd: async ({ session }, { id }) => images.addPhoto(session.userId, id),
    imageDel: async ({ session }, { id }) => images.remove(session.userId, id),
    imageOrder: async ({ session }, { ids }) => {
      const listed = ids.split(",");
      if (listed.some((id) => id === "")) throw badInput("not ids separated by commas", "ids");
      return images.orderPhotos(session.userId, listed);
    },
    newPhoto: async ({ session }) => images.mine(session.userId),
    adminAvatarList: async ({ session }, input) => review.list("avatar", session.userId, input),
    adminAvatarOperate: async ({ session }, input) => {
      await review.decide("avatar", session.userId, input);
      return {};
    },
    adminImageList: async ({ session }, input) => review.list("photo", session.userId, input),
    adminImageOperate: async ({ session }, input) => {
      await review.decide("photo", session.userId, input);
      return {};
    },
  };
}
