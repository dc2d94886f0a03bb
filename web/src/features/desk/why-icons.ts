import { Copy, ImagePlus, type LucideIcon, QrCode, ScanEye, Shuffle, TriangleAlert } from "lucide-react";
import type { PictureRow } from "./review-state.ts";

/** Why a person looks at a picture, as a sign beside the words. */
export const whyIcons: Readonly<Record<PictureRow["why"], LucideIcon>> = {
  unsure: ScanEye,
  reported: TriangleAlert,
  contact: QrCode,
  like_removed: Copy,
  random: Shuffle,
  new: ImagePlus,
};
