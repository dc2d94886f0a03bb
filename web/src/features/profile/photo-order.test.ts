import { expect, test } from "vitest";
import type { OwnImage } from "@fava/wire/images.ts";
import { movedPhoto } from "./use-photos.ts";

const photos = ["a", "b", "c"].map((id): OwnImage => ({
  id,
  url: "",
  thumb: "",
  width: 1,
  height: 1,
  status: "approved",
  reason_id: null,
}));
const ids = (list: readonly OwnImage[]) => list.map(({ id }) => id).join("");

test("moves a photo to its new place and closes the gap", () => {
  expect(ids(movedPhoto(photos, "a", 2))).toBe("bca");
  expect(ids(movedPhoto(photos, "c", 0))).toBe("cab");
  expect(ids(movedPhoto(photos, "b", 9))).toBe("acb");
});

test("returns the same list for a move without effect, so that nothing is sent", () => {
  expect(movedPhoto(photos, "a", 0)).toBe(photos);
  expect(movedPhoto(photos, "a", -1)).toBe(photos);
  expect(movedPhoto(photos, "z", 1)).toBe(photos);
});
