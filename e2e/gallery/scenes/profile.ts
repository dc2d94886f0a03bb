import { codes } from "@fava/wire/codes.ts";
import { type Answers, type FixtureWorld, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { ownImage, OwnProfile } from "@fava/web/testing/profile-fixtures.ts";
import type { Locator, Page } from "@playwright/test";
import { emptyPath } from "../../support/fixture-page.ts";
import { drawPicture } from "../../support/pictures.ts";
import type { Words } from "../../support/words.ts";
import { chooseInMenu } from "../people-steps.ts";
import { type Scene, scene } from "../scene.ts";

const never = () => new Promise<never>(() => undefined);
const me = { ...ana, birthday: "1995-05-15", birth_year: 1995 };
/** Home is loaded once the responses are set. */
const unopened = { as: me, path: emptyPath } as const;

/** Images in every state of their review. */
const pictures: Pick<OwnProfile, "avatar" | "photos"> = {
  avatar: ownImage("new", { status: "refused", reason_id: 1 }),
  photos: [
    ownImage("one", { status: "approved" }),
    ownImage("two"),
    ownImage("three", { status: "refused", reason_id: 3 }),
  ],
};

interface Opening {
  page: Page;
  said: Words;
  world: { server: FixtureWorld };
}

/** Opens a user's profile with these images. */
async function openProfile(
  { page, said, world }: Opening,
  change: Partial<OwnProfile> = {},
  answers: Answers = {},
): Promise<Locator> {
  const own = Object.assign(new OwnProfile(world.server, me), change);
  world.server.answer({ ...own.answers, ...answers });
  await page.goto("/");
  await chooseInMenu(page, said, "menu.profile");
  const sheet = page.getByRole("dialog", { name: said("profile.title") });
  await sheet.getByLabel(said("profile.about")).waitFor();
  return sheet;
}

async function choose(sheet: Locator, which: "avatar" | "photo"): Promise<void> {
  const fields = sheet.locator("input[type=file]");
  const field = which === "avatar" ? fields.first() : fields.last();
  await field.setInputFiles(await drawPicture(sheet.page(), 640, 800));
}

export const profileScenes: readonly Scene[] = [
  scene("a new user's own profile", unopened, async ({ page, said, show, world }) => {
    const sheet = await openProfile({ page, said, world });
    await sheet.getByRole("button", { name: said("photo.addLong") }).waitFor();
    await show("profile-empty");
    await sheet.getByRole("button", { name: said("profile.preview") }).click();
    await page.getByText(said("profile.previewNoAbout")).waitFor();
    await show("profile-preview-empty");
  }),
  scene("images of the own profile", unopened, async ({ page, said, show, world }) => {
    const sheet = await openProfile({ page, said, world }, pictures);
    await sheet.getByText(said("photo.refused"), { exact: true }).waitFor();
    await show("profile-refused");
    await choose(sheet, "avatar");
    const crop = page.getByRole("dialog", { name: said("crop.title") });
    await crop.waitFor();
    await show("profile-crop");
    world.server.answer({ imageUpload: never });
    await crop.getByRole("button", { name: said("crop.use") }).click();
    await sheet.getByText(said("profile.newUploading")).waitFor();
    await choose(sheet, "photo");
    await sheet.getByRole("progressbar").nth(1).waitFor();
    await show("profile-uploading");
  }),
  scene("a new profile image that waits for review", unopened, async ({ page, said, show, world }) => {
    const user = {
      ...me,
      nickname: "Leyla of the long name",
      about: "Cook, cyclist, bad at chess.",
      location: "Bristol",
    };
    const full = Array.from({ length: 6 }, (_, index) => ownImage(`photo-${index}`, { status: "approved" }));
    const sheet = await openProfile(
      { page, said, world },
      { ...pictures, user, avatar: ownImage("new"), photos: full },
    );
    await sheet.getByText(said("profile.newWaiting")).waitFor();
    await show("profile-waiting");
    await sheet.getByRole("button", { name: said("profile.preview") }).click();
    await page.getByRole("dialog", { name: said("profile.preview") }).waitFor();
    await show("profile-preview");
  }),
  scene("rejected profile images", unopened, async ({ page, said, show, world }) => {
    const answers: Answers = {
      imageUpload: new Refusal(codes.refused, { reason: "too_many" }),
      imageOrder: new Refusal(codes.serverError),
    };
    const sheet = await openProfile({ page, said, world }, pictures, answers);
    const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") };
    await sheet.locator("input[type=file]").first().setInputFiles(letter);
    await sheet.getByText(said("photo.notImage")).waitFor();
    await choose(sheet, "photo");
    await sheet.getByText(said("photo.full")).waitFor();
    await show("profile-upload-failed");
  }),
  scene("profile images that failed to load", unopened, async ({ page, said, show, world }) => {
    const sheet = await openProfile({ page, said, world }, pictures, { newPhoto: new Refusal(codes.serverError) });
    await sheet.getByRole("button", { name: said("common.retry") }).waitFor();
    await show("profile-pictures-failed");
  }),
  scene("changes of the own profile", unopened, async ({ page, said, show, world }) => {
    const week = { myWeek: { people: 14, countries: 6, seconds: 11_580 } };
    const sheet = await openProfile({ page, said, world }, pictures, week);
    await sheet.getByRole("region", { name: said("profile.week") }).waitFor();
    const about = sheet.getByLabel(said("profile.about"));
    await about.fill("Cook, cyclist, bad at chess. Call 0770 900 1234");
    await sheet.getByLabel(said("profile.name")).fill("");
    await sheet.getByText(said("profile.found.phone")).waitFor();
    await show("profile-wrong");
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog", { name: said("profile.discardTitle") }).waitFor();
    await show("profile-discard");
    await page.getByRole("button", { name: said("profile.keepEditing") }).click();
    await about.fill("Cook, cyclist, bad at chess.");
    await sheet.getByLabel(said("profile.name")).fill("Ana Maria");
    await sheet.getByText(said("profile.checked")).waitFor();
    await show("profile-changed");
    world.server.answer({ userUpdate: new Refusal(codes.serverError) });
    await sheet.getByRole("button", { name: said("profile.save") }).click();
    await sheet.getByText(said("profile.saveFailed")).waitFor();
    await show("profile-save-failed");
  }),
  scene("rejected texts of the own profile, and a dispute", unopened, async (stage) => {
    const { said, show, world } = stage;
    const refusal = (field: string, start: number, end: number) =>
      new Refusal(codes.refused, {
        reason: "personal_data",
        field,
        findings: ["phone"],
        spans: [{ start, end, finding: "phone" }],
      });
    const own = { user: { ...me, about: "Volleyball, tea and long walks." } };
    const sheet = await openProfile(stage, own, { userUpdate: refusal("about", 7, 24) });
    const press = sheet.getByRole("button", { name: said("asked.press") });
    await sheet.getByLabel(said("profile.about")).fill("We won 21-19 18-21 21-15. Volleyball, tea and long walks.");
    await sheet.getByRole("button", { name: said("profile.save") }).click();
    await press.scrollIntoViewIfNeeded();
    await show("words-refused");
    world.server.answer({ textAsk: { due_at: galleryNowMs + 86_400_000 } });
    await press.click();
    await sheet.getByText(said("asked.promised")).waitFor();
    await show("words-asked");
  }),
  scene("the user's own languages and interests", unopened, async ({ page, said, show, world }) => {
    const sheet = await openProfile({ page, said, world });
    const talk = page.getByRole("dialog", { name: said("talk.title") });
    await sheet.getByRole("button", { name: said("talk.title") }).click();
    await talk.getByText(said("talk.fromBrowser")).waitFor();
    await show("profile-talk-empty");
    await talk.getByRole("button", { name: said("common.back") }).click();
    const chosen = { languages: [12, 1, 62, 8, 22], interests: [7, 47, 29, 25, 13], prefer: 1 } as const;
    world.server.answer({
      talkInfo: {
        ...chosen,
        languages: [...chosen.languages],
        interests: [...chosen.interests],
        leaves_out: [],
        leaves_out_max: 5,
      },
    });
    await sheet.getByRole("button", { name: said("talk.title") }).click();
    await talk.getByText(said("talk.signHint")).waitFor();
    await talk.getByRole("combobox").selectOption({ index: 1 });
    await show("profile-talk");
    world.server.answer({ talkUpdate: new Refusal(codes.slowDown) });
    await talk.getByRole("button", { name: said("profile.save") }).click();
    await talk.getByText(said("talk.tooOften")).waitFor();
    await show("profile-talk-too-often");
  }),
  scene("a name that was just changed", unopened, async ({ page, said, show, world }) => {
    const until = galleryNowMs + 30 * 86_400_000;
    const sheet = await openProfile({ page, said, world }, pictures);
    await sheet.getByLabel(said("profile.name")).fill("Ana Second");
    // Only from now on, because a page that loads this earlier removes the field.
    world.server.answer({
      userUpdate: new Refusal(codes.refused, { reason: "nickname_too_soon", until }),
      myInfo: { ...me, nickname: "Ana Maria", nickname_next: until },
    });
    await sheet.getByRole("button", { name: said("profile.save") }).click();
    await sheet.getByText(said("refused.nickname_too_soon")).waitFor();
    await show("profile-name-too-soon");
  }),
];
