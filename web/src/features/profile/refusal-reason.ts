import type { OwnImage } from "@fava/wire/images.ts";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import type { Translate } from "#lib/i18n.ts";

/** Why a picture was refused, or "Incorrect content" for a reason that the list does not know. */
export function refusalReason(t: Translate, image: OwnImage): string {
  const known = pictureReasonIds.find((id) => id === image.reason_id);
  return t(known === undefined ? "ban.reason.other" : `photo.rejected.${known}`);
}
