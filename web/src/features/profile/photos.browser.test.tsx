import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { drawPicture } from "#testing/drawn-pictures.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { addPhoto, choosePhoto, openOwnProfile, openProfileAgain, photoIds } from "#testing/profile-steps.ts";
import { ownImage } from "#testing/profile-fixtures.ts";
import type { OwnImages } from "./use-own-images.ts";

test("adds photos, orders them by drag and by buttons, and removes them; stores every change at once", async () => {
  const { server, own, sheet } = await openOwnProfile();
  for (const width of [300, 400, 500]) await addPhoto(await drawPicture(width, 400));
  expect(sheet.getByText(t("photo.waiting")).elements()).toHaveLength(3);
  const stored = () => own.photos.map(({ id }) => id);
  const [a = "", b = "", c = ""] = stored();
  expect(photoIds()).toEqual([a, b, c]);
  (sheet.getByRole("button", { name: t("photo.later", { n: 1 }) }).element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(photoIds).toEqual([b, a, c]);
  await expect.element(sheet.getByRole("button", { name: t("photo.later", { n: 2 }) })).toHaveFocus();
  await expect.poll(stored).toEqual([b, a, c]);
  const photo = (n: number) => sheet.getByAltText(t("photo.name", { n }));
  await userEvent.dragAndDrop(photo(3), photo(1));
  await expect.poll(photoIds).toEqual([c, b, a]);
  await expect.poll(stored).toEqual([c, b, a]);
  await sheet.getByRole("button", { name: t("photo.remove", { n: 2 }) }).click();
  await expect.poll(photoIds).toEqual([c, a]);
  await expect.poll(stored).toEqual([c, a]);
  expect(server.asked("imageOrder").map(({ ids }) => ids)).toEqual([`${b},${a},${c}`, `${c},${b},${a}`]);
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await openProfileAgain();
  await expect.poll(photoIds).toEqual([c, a]);
});

test.each(["addition", "removal"] as const)(
  "applies a removal and an addition that overlap when the server handled the %s first",
  async (first) => {
    const { server, own, sheet } = await openOwnProfile();
    const [one, two, added] = [ownImage("one"), ownImage("two"), ownImage("added")];
    own.photos = [one, two];
    await sheet.getByRole("button", { name: t("common.close") }).click();
    await openProfileAgain();
    await expect.poll(photoIds).toEqual(["one", "two"]);
    const [adding, removing] = [heldAnswer<OwnImages>(), heldAnswer<OwnImages>()];
    server.answer({ imageAdd: () => adding.answer, imageDel: () => removing.answer });
    choosePhoto(await drawPicture(300, 400));
    await expect.poll(() => server.asked("imageAdd").length).toBe(1);
    await sheet.getByRole("button", { name: t("photo.remove", { n: 1 }) }).click();
    await expect.poll(() => server.asked("imageDel").length).toBe(1);
    own.photos = [two, added];
    // Each response contains what existed when the server handled it.
    if (first === "removal") removing.give({ avatar: null, photos: [two] });
    adding.give({ avatar: null, photos: first === "addition" ? [one, two, added] : own.photos });
    if (first === "addition") removing.give({ avatar: null, photos: own.photos });
    await expect.poll(photoIds).toEqual(["two", "added"]);
  },
);

test("reverts what the server does not do with the photos, with a message", async () => {
  const { own, server, sheet } = await openOwnProfile();
  own.photos = [ownImage("one", { status: "approved" }), ownImage("two", { status: "refused", reason_id: 3 })];
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await openProfileAgain();
  // The reason for the rejection is shown below the photos.
  const reason = t("photo.rejected.3");
  await expect.element(sheet.getByText(t("photo.refusedWhy", { n: "2", reason }))).toBeVisible();
  server.answer({ imageOrder: silence, imageDel: new Refusal(codes.refused) });
  await sheet.getByRole("button", { name: t("photo.later", { n: 1 }) }).click();
  await expect.element(sheet.getByText(t("photo.changeFailed"))).toBeVisible();
  await expect.poll(photoIds).toEqual(["one", "two"]);
  await sheet.getByRole("button", { name: t("photo.remove", { n: 1 }) }).click();
  await expect.poll(() => server.asked("newPhoto").length).toBeGreaterThan(3);
  await expect.poll(photoIds).toEqual(["one", "two"]);
});
