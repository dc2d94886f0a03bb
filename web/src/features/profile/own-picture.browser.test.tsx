import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { imageBytesMax } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { queryClient } from "#lib/query.ts";
import { replaceUser } from "#lib/session.ts";
import { colourAt, drawPicture, turned } from "#testing/drawn-pictures.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { addPhoto, chooseAvatar, openOwnProfile, openProfileAgain, profile } from "#testing/profile-steps.ts";
import { openPhoto, photoFileBytesMax } from "./photo-file.ts";

const crop = () => page.getByRole("dialog", { name: t("crop.title") });
const use = () => crop().getByRole("button", { name: t("crop.use") });
const addressOf = (name: string) => profile().getByAltText(name).element().getAttribute("src") ?? "";

/** The images that header and profile show as the user's avatar. */
function ownPictures(): string[] {
  const shown = [...document.querySelectorAll<HTMLImageElement>('header img, [role="dialog"] img')];
  const addresses = shown.filter(({ alt }) => alt === "").map((image) => image.getAttribute("src") ?? "");
  return addresses.filter((address) => !address.startsWith("/flags/"));
}

test("crops an image by pointer, wheel, keys and slider, uploads it, and keeps the old one until its approval", async () => {
  const { server, own, sheet } = await openOwnProfile({ avatar: "/icon.svg" });
  chooseAvatar(await drawPicture(900, 600));
  await expect.element(crop()).toBeVisible();
  const zoom = crop().getByRole("slider");
  await expect.element(zoom).toHaveValue("0");
  const area = crop().getByRole("application");
  await userEvent.wheel(area, { delta: { y: -200 } });
  await expect.element(zoom).not.toHaveValue("0");
  await userEvent.click(area);
  await userEvent.keyboard("-");
  await expect.element(zoom).toHaveValue("0");
  await zoom.fill("60");
  // Drags the image down, so that only its upper, red half is in the crop.
  const { width, height } = area.element().getBoundingClientRect();
  await userEvent.dragAndDrop(area, area, {
    sourcePosition: { x: width / 2, y: 10 },
    targetPosition: { x: width / 2, y: height - 10 },
  });
  await userEvent.click(area);
  for (let step = 0; step < 20; step += 1) await userEvent.keyboard("{ArrowDown}");
  await use().click();
  await expect.element(sheet.getByText(t("profile.newWaiting"))).toBeVisible();
  expect(await colourAt(addressOf(t("profile.newPicture")), { x: 0.5, y: 0.9 })).toBe("red");
  const picture = await createImageBitmap(new Blob(server.uploads));
  expect(picture.width).toBe(picture.height);
  expect(server.asked("userUpdate")).toMatchObject([{ avatar: own.avatar?.id }]);
  // The avatar that others see has not changed.
  expect(ownPictures()).toEqual(["/icon.svg", "/icon.svg"]);
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await openProfileAgain();
  await expect.element(sheet.getByText(t("profile.newWaiting"))).toBeVisible();
  await sheet.getByRole("button", { name: t("profile.newRemove") }).click();
  await expect.element(sheet.getByText(t("profile.newWaiting"))).not.toBeInTheDocument();
  expect(own.avatar).toBeNull();
});

test("shows the progress of an upload, which can be stopped", async () => {
  const { server, own, sheet } = await openOwnProfile({}, { imageUpload: () => new Promise(() => undefined) });
  chooseAvatar(await drawPicture(300, 300));
  await use().click();
  const ring = sheet.getByRole("progressbar");
  await expect.element(ring).toHaveAttribute("aria-valuenow", "50");
  await sheet.getByRole("button", { name: t("profile.stop") }).click();
  await expect.element(ring).not.toBeInTheDocument();
  expect(server.asked("userUpdate")).toEqual([]);
  expect(own.avatar).toBeNull();
});

test("loads the own images again when the user has changed during a load", async () => {
  const { server } = await openOwnProfile();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  const before = server.asked("newPhoto").length;
  server.answer({ newPhoto: () => new Promise(() => undefined) });
  for (const count of [1, 2]) {
    replaceUser({ ...ana });
    await expect.poll(() => server.asked("newPhoto").length).toBe(before + count);
  }
});

test("tells a user who has to wait until when", async () => {
  const { sheet } = await openOwnProfile({}, { imageUpload: new Refusal(429, { retry_after: 42 }) });
  chooseAvatar(await drawPicture(300, 300));
  await use().click();
  await expect.element(sheet.getByText(/Try again in 42 sec/)).toBeVisible();
});

test("rejects a huge file, a fake one and one that is no image, with the reason", async () => {
  const { server, sheet } = await openOwnProfile();
  const good = await drawPicture(40, 40);
  const type = "image/jpeg";
  chooseAvatar(new File([good, new Uint8Array(photoFileBytesMax)], "huge.jpg", { type }));
  await expect.element(sheet.getByText(/larger than 64/)).toBeVisible();
  chooseAvatar(new File(["<html>no picture"], "fake.jpg", { type }));
  await expect.element(sheet.getByText(t("photo.unreadable"))).toBeVisible();
  chooseAvatar(new File(["Dear all"], "letter.txt", { type: "text/plain" }));
  await expect.element(sheet.getByText(t("photo.notImage"))).toBeVisible();
  await expect.element(crop()).not.toBeInTheDocument();
  await expect.element(sheet.getByText(t("profile.newWaiting"))).not.toBeInTheDocument();
  expect(server.uploads).toEqual([]);
});

test("shows a photo upright that the camera held sideways, and removes the camera's metadata", async () => {
  const { server } = await openOwnProfile();
  await addPhoto(await turned(await drawPicture(800, 400)));
  const address = addressOf(t("photo.name", { n: 1 }));
  expect(await colourAt(address, { x: 0.9, y: 0.5 })).toBe("red");
  expect(await colourAt(address, { x: 0.1, y: 0.5 })).toBe("blue");
  chooseAvatar(await turned(await drawPicture(400, 400)));
  await use().click();
  await expect.element(profile().getByAltText(t("profile.newPicture"))).toBeVisible();
  expect(await colourAt(addressOf(t("profile.newPicture")), { x: 0.9, y: 0.5 })).toBe("red");
  expect(server.uploads).toHaveLength(2);
  for (const bytes of server.uploads) expect(new TextDecoder("latin1").decode(bytes)).not.toContain("Exif");
});

test("scales a phone's photo of 48 megapixels down before the upload, upright, as avatar and as photo", async () => {
  const { server } = await openOwnProfile();
  // A file of more bytes than an upload may have, as photos of that size are.
  const drawn = await turned(await drawPicture(8_064, 6_048));
  const photo = new File([drawn, new Uint8Array(imageBytesMax)], "phone.jpg", { type: drawn.type });
  const opened = await openPhoto(photo, 3_200);
  expect([opened.width, opened.height]).toEqual([2_400, 3_200]);
  opened.close();
  await addPhoto(photo);
  chooseAvatar(photo);
  await use().click();
  await expect.element(profile().getByAltText(t("profile.newPicture"))).toBeVisible();
  for (const name of [t("photo.name", { n: 1 }), t("profile.newPicture")]) {
    expect(await colourAt(addressOf(name), { x: 0.9, y: 0.5 })).toBe("red");
    expect(await colourAt(addressOf(name), { x: 0.1, y: 0.5 })).toBe("blue");
  }
  const sizes = await Promise.all(server.uploads.map(async (bytes) => createImageBitmap(new Blob([bytes]))));
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [960, 1_280],
    [1_280, 1_280],
  ]);
});

test("does not scale a small image", async () => {
  const { server } = await openOwnProfile();
  await addPhoto(await drawPicture(300, 200));
  const { width, height } = await createImageBitmap(new Blob(server.uploads));
  expect([width, height]).toEqual([300, 200]);
});
