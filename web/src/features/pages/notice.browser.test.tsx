import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { noticeStatusOf, noticeToken } from "#testing/notice-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();
const send = () => page.getByRole("button", { name: t("notice.send") });

/** A picture with enough in it to be recognized. */
async function chequered(): Promise<File> {
  const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 240 });
  const context = canvas.getContext("2d");
  for (let square = 0; square < 48; square += 1) {
    if (context) context.fillStyle = `hsl(${square * 53} 70% ${20 + ((square * 37) % 60)}%)`;
    context?.fillRect((square % 8) * 40, Math.floor(square / 8) * 40, 40, 40);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File(blob ? [blob] : [], "secret.png", { type: "image/png" });
}

async function choose(file: File): Promise<void> {
  await userEvent.upload(document.querySelector<HTMLInputElement>("input[type=file]")!, file);
}

test("sends the hash of a picture and never the picture, and shows the state by the link", async () => {
  const server = await openPage({
    path: "/notice#10482193",
    answers: { noticeAdd: { no: "N-7001", token: noticeToken }, noticeStatus: noticeStatusOf(nowMs) },
  });
  await expect.element(page.getByLabelText(t("safety.number"))).toHaveValue("10482193");
  await page.getByRole("radio", { name: t("notice.kind.intimate") }).click();
  await page.getByLabelText(t("notice.text")).fill("It shows me.");
  await choose(new File(["no picture"], "x.png", { type: "image/png" }));
  await expect.element(page.getByText(t("notice.hashFailed"))).toBeVisible();
  await choose(await chequered());
  await expect.element(page.getByText(t("notice.hashReady"))).toBeVisible();
  await page.getByLabelText(t("notice.signature")).fill("Ana");
  await send().click();
  const email = page.getByLabelText(t("notice.email"));
  await expect.element(email).toHaveFocus();
  await expect.element(email).toBeInvalid();
  await expect.element(email).toHaveAccessibleDescription(t("mail.wrong"));
  await email.fill("ana@example.com");
  await page.getByRole("checkbox", { name: t("notice.faith") }).click();
  await send().click();
  await expect.element(page.getByText(t("notice.sent", { no: isolate("N-7001") }))).toBeVisible();
  expect(location.hash).toBe(`#${noticeToken}`);
  const [notice] = server.asked("noticeAdd");
  expect(notice?.hash).toMatch(/^[0-9a-f]{16}$/);
  expect(server.uploads).toEqual([]);
  expect(JSON.stringify(notice)).not.toContain("secret");
});

test("offers to leave out name and address only about a minor", async () => {
  await openPage({ path: "/notice" });
  await expect.element(page.getByText(t("notice.anonymous"))).not.toBeInTheDocument();
  await page.getByRole("radio", { name: t("notice.kind.minor") }).click();
  await expect.element(page.getByText(t("notice.anonymous"))).toBeVisible();
});

test("shows the moderator's question, and sends the answer", async () => {
  const question = "Which picture?";
  const server = await openPage({
    path: `/notice#${noticeToken}`,
    answers: {
      noticeStatus: noticeStatusOf(nowMs, { state: "asked", question }),
      noticeAnswer: noticeStatusOf(nowMs),
    },
  });
  await expect.element(page.getByText(question)).toBeVisible();
  await page.getByLabelText(t("notice.answer")).fill("The red one.");
  await page.getByRole("button", { name: t("msg.send") }).click();
  await expect.element(page.getByText(t("notice.hidden"))).toBeVisible();
  expect(server.asked("noticeAnswer")).toMatchObject([{ token: noticeToken, text: "The red one." }]);
});

test("says that there is no notice at an address with another token", async () => {
  await openPage({ path: `/notice#${noticeToken}`, answers: { noticeStatus: new Refusal(codes.badInput) } });
  await expect.element(page.getByText(t("notice.none"))).toBeVisible();
  await page.getByRole("link", { name: t("notice.new") }).click();
  await expect.element(send()).toBeVisible();
});
