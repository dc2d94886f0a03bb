import type { Page } from "@playwright/test";
import type { OtherUser, Person } from "@fava/wire/people.ts";
import { look, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { openPeoplePanel, peopleTab } from "./support/people-panel.ts";
import { expectCallState, startChat } from "./support/people.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(300_000);

const faces = [
  ["Ana", 76, "Brazil", "BR", 20],
  ["Kenji", 392, "Japan", "JP", 210],
  ["Noor", 682, "Saudi Arabia", "SA", 190],
  ["Grace", 608, "Philippines", "PH", 350],
  ["Rafi", 360, "Indonesia", "ID", 270],
  ["Leyla of the long name, who writes", 792, "Türkiye", "TR", 30],
  ["Oliver", 826, "United Kingdom", "GB", 150],
] as const;

function personAt(index: number, change: Partial<Person> = {}): Person {
  const [nickname, country_id, country_name, flag] = faces[index % faces.length] ?? faces[0];
  return {
    user_id: 90_000 + index,
    externalId: `face-${index}`,
    nickname,
    avatar: `/face-${index % faces.length}.svg`,
    sex: 0,
    country_id,
    country_name,
    country_flag: `/flags/${flag}.svg`,
    followStatus: index % 2 === 0 ? 2 : 0,
    likeStatus: index % 3 === 0 ? 1 : 0,
    presence: index === 0 ? "online" : index === 2 ? "away" : null,
    ...change,
  };
}

const everybody = faces.map((_face, index) => personAt(index));

function ok(data: object): { json: object } {
  return { json: { code: 200, msg: "", data } };
}

/** Drawn faces, and lists with people in them: what the server would say of somebody who has met many. */
async function peopleAround(page: Page): Promise<void> {
  await page.route(/\/face-\d+\.svg$/, (route) => {
    const hue = faces[Number(/\d+/.exec(route.request().url().slice(-6))?.[0] ?? 0)]?.[4] ?? 0;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 42% 62%)"/><circle cx="50" cy="42" r="20" fill="hsl(${hue} 40% 82%)"/><ellipse cx="50" cy="98" rx="36" ry="32" fill="hsl(${hue} 40% 32%)"/></svg>`;
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  for (const [list, total] of [
    ["follow", 18],
    ["fans", 42],
    ["friend", 9],
    ["like", 31],
  ] as const) {
    await page.route(`**/api/user/${list}/list`, (route) =>
      route.fulfill(ok({ rows: everybody, total, next: "more" })),
    );
  }
  const now = Date.now();
  const states = ["both", "asked", "none", "none", "none", "none", "none"] as const;
  const rows = everybody.map((person, index) => {
    const met_at = now - index * 7_000_000 - 1_080_000;
    const seconds = index === 3 ? 20 : 240 * (index + 1);
    return { person, call_id: `call-${index}`, met_at, seconds, until: met_at + 86_400_000, meet: states[index] };
  });
  await page.route("**/api/recent/list", (route) => route.fulfill(ok({ rows, next: null })));
  const blocked = everybody.slice(3, 6).map(({ user_id, nickname, avatar }, index) => {
    return { user_id, nickname, avatar, at: now - index * 900_000_000 };
  });
  await page.route("**/api/user/block/list", (route) => route.fulfill(ok({ rows: blocked, next: null })));
  await page.route("**/api/user/search", (route) => route.fulfill(ok({ rows: everybody.slice(0, 3), next: null })));
  const profile: OtherUser = {
    ...personAt(0, { followStatus: 0 }),
    user_no: "318204",
    about: "Architect by day, moqueca by night. Tell me about the best meal you ever had.",
    location: "Salvador",
    photos: [1, 3, 6].map((face) => ({ id: `p${face}`, url: `/face-${face}.svg`, thumb: `/face-${face}.svg` })),
    can_message: "request",
    official: 0,
  };
  await page.route("**/api/user/info", (route) => route.fulfill(ok(profile)));
}

test("[UI-31] the screens of people are without faults", async ({ visit }) => {
  const page = await visit("/");
  await beginSession(page, { name: "Lina of the lists" });
  await peopleAround(page);
  const panel = await openPeoplePanel(page);
  await peopleTab(page, "fans").click();
  await panel.getByRole("listitem").first().waitFor();
  await look(page, "people-fans");
  for (const tab of ["likes", "recent", "blocked"]) {
    await peopleTab(page, tab).click();
    await panel.getByRole("listitem").first().waitFor();
    await look(page, `people-${tab}`);
  }
  await peopleTab(page, "recent").click();
  await panel.getByRole("button", { name: words("people.profileOf", { name: "Ana" }) }).click();
  const profile = page.getByRole("dialog", { name: "Ana" });
  await profile.getByRole("button", { name: words("other.message") }).waitFor();
  await look(page, "people-other");
  await profile.getByRole("button", { name: words("other.photo", { n: "2", name: "Ana" }) }).click();
  await page.getByText(words("other.of", { n: "2", count: "3" })).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByText(words("other.of", { n: "3", count: "3" })).waitFor();
  await look(page, "people-photo");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: words("find.title") }).click();
  const find = page.getByRole("dialog", { name: words("find.title") });
  await find.getByRole("searchbox").fill("an");
  await find.getByRole("searchbox").press("Enter");
  await find.getByRole("listitem").first().waitFor();
  await look(page, "people-find");
});

test("[UI-31] the empty lists of people, and one that fails, are without faults", async ({ visit }) => {
  const page = await visit("/", { expected: /ERR_FAILED/ });
  await beginSession(page, { name: "Nell with nobody" });
  await page.route("**/api/user/like/list", (route) => route.abort());
  const panel = await openPeoplePanel(page);
  await panel.getByText(words("people.empty.following")).waitFor();
  await look(page, "people-empty");
  await peopleTab(page, "likes").click();
  await panel.getByText(words("people.notLoaded")).waitFor();
  await look(page, "people-failed");
});

test("[UI-31] the buttons for the other person of a call and the report are without faults", async ({ visit }) => {
  const one = await visit("/", { devices: true });
  const other = await visit("/", { devices: true });
  for (const [page, name] of [
    [one, "Olga"],
    [other, "Piet"],
  ] as const) {
    await beginSession(page, { name });
  }
  await startChat(one);
  await startChat(other);
  await expectCallState(one, "in-call");
  await one.getByRole("button", { name: words("people.likeName", { name: "Piet" }) }).click();
  await look(one, "people-call");
  await one.getByRole("button", { name: words("people.reportName", { name: "Piet" }) }).click();
  await one.getByRole("radio").nth(5).check();
  await look(one, "people-report");
});

test("[UI-31] people read from right to left", async ({ visit }) => {
  const page = await visit("/", { locale: "ar" });
  const inArabic = (key: string) => wordsIn("ar", key);
  await signInHere(page, { name: "Rim" });
  await page.getByRole("button", { name: inArabic("common.next") }).click();
  await page.getByRole("button", { name: inArabic("birth.yes") }).click();
  await page.getByRole("radio", { name: inArabic("gender.female") }).check();
  await page.getByRole("button", { name: inArabic("common.next") }).click();
  await peopleAround(page);
  await page.getByRole("button", { name: inArabic("home.account") }).click();
  await page.getByRole("menuitem", { name: inArabic("menu.people") }).click();
  const panel = page.getByRole("dialog");
  await panel.getByRole("listitem").first().waitFor();
  await picture(page, "people-following-ar");
  await panel.getByRole("tab").nth(4).click();
  await panel.getByText(inArabic("people.both")).waitFor();
  await picture(page, "people-recent-ar");
  await panel.getByRole("listitem").first().getByRole("button").first().click();
  await page.getByText(inArabic("other.block")).waitFor();
  await picture(page, "people-other-ar");
});
