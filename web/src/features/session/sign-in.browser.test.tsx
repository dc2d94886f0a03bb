import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { request } from "#lib/api/request.ts";
import { t } from "#lib/i18n.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { ana, memberAnswers } from "#testing/fixtures.ts";
import { loginOf, onboardingAnswers, newcomer } from "#testing/onboarding-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { stubGoogle, stubProviderWindow } from "#testing/provider-window.ts";
import { banNotice } from "#testing/session-fixtures.ts";

const provider = (name: string) => page.getByRole("button", { name: t("login.with", { name }) });
const account = () => page.getByRole("button", { name: t("home.account") });
const toast = (text: string) => page.getByRole("region", { name: t("toast.region") }).getByText(text);

/** Signs in through the provider's window, from the home screen. */
async function signIn(): Promise<void> {
  const chooser = stubProviderWindow();
  await provider("Google").click();
  await expect.poll(() => chooser.isOpen).toBe(true);
  chooser.choose();
}

test("takes the identity over at sign-in, and asks a new user for birthday and gender", async () => {
  const server = await openPage({
    answers: { ...memberAnswers(newcomer), ...onboardingAnswers(), login: loginOf(newcomer) },
  });
  await signIn();
  await expect.element(page.getByRole("dialog", { name: t("complete.title") })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(account()).toBeVisible();
  expect(server.asked("login")).toMatchObject([
    { login_type: 1, third_party_id: "sandbox-google-ana", third_party_token: "token", nickname: "Ana" },
  ]);
  expect(localStorage.getItem("loginToken")).toBe(loginOf(ana).token);
});

test("[ERR-3] shows the toast Server error without a response, until it times out or on Escape", async () => {
  await openPage({ answers: { login: silence } });
  await signIn();
  const text = toast(t("error.server"));
  await expect.element(text).toBeVisible();
  expect(text.element().closest("[data-type]")?.getAttribute("data-type")).toBe("error");
  await expect.poll(() => text.elements(), { timeout: 10_000 }).toEqual([]);
  await signIn();
  await expect.element(text).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => text.elements(), { timeout: 1_500 }).toEqual([]);
});

test("signs in by Google's own button in the login dialog when its prompt does not appear", async () => {
  const google = stubGoogle("g-1");
  const live = { login_type: 1, mode: "live", client_id: "client-1", url: "" } as const;
  const server = await openPage({
    answers: {
      ...memberAnswers(ana),
      login: loginOf(ana),
      loginPrepare: { nonce: "nonce-1", server_time: Date.now(), providers: [live] },
    },
  });
  await provider("Google").click();
  const popup = page.getByRole("dialog", { name: t("login.tagline") });
  const place = popup.getByRole("group", { name: t("login.with", { name: "Google" }) });
  await place.getByRole("button", { name: google.button }).click();
  await expect.element(account()).toBeVisible();
  await expect.element(popup).not.toBeInTheDocument();
  expect(server.asked("login")).toMatchObject([{ login_type: 1, third_party_id: "g-1" }]);
});

test("signs in after a long sleep of the device with a nonce that the server still accepts", async () => {
  let nonces = 0;
  const google = { login_type: 1, mode: "sandbox", client_id: "", url: "/sandbox/identity" } as const;
  const loginPrepare = () => {
    nonces += 1;
    return { nonce: `nonce-${nonces}`, server_time: Date.now(), providers: [google] };
  };
  await openPage({ answers: { loginPrepare } });
  await expect.poll(() => nonces).toBe(1);
  // Once this request has its response, the earlier ones have theirs.
  await request(endpoints.loginPrepare, {});
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const chooser = stubProviderWindow();
  await provider("Google").click();
  await expect.poll(() => chooser.asked.get("nonce")).toBe("nonce-3");
});

test("shows a banned user who, why and until when, alone on the page, and does not sign them in", async () => {
  await openPage({ answers: { login: new Refusal(codes.banned, banNotice(Date.now())) } });
  await page.getByRole("button", { name: t("login.open"), exact: true }).click();
  await signIn();
  const notice = page.getByRole("alertdialog", { name: t("ban.title") });
  await expect.element(notice.getByText(t("ban.suspended"))).toBeVisible();
  await expect.element(notice.getByText(t("ban.account"))).toBeVisible();
  await expect.element(notice.getByRole("definition").first()).toHaveTextContent(/\d{8}/);
  await expect.element(notice.getByText(t("ban.reason"), { exact: true })).toBeVisible();
  await expect.element(notice.getByText(t("ban.reason.2"), { exact: true })).toBeVisible();
  await expect.element(notice.getByText(t("ban.until"), { exact: true })).toBeVisible();
  await expect.element(notice.getByRole("link", { name: t("ban.appealGo") })).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(notice).toBeVisible();
  await notice.getByRole("button", { name: t("common.ok") }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(account()).not.toBeInTheDocument();
  expect(localStorage.getItem("loginToken")).toBeNull();
});
