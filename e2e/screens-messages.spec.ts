import { expect, type Page } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { look, picture, test, wordsIn } from "./support/looks.ts";
import { watchPeers } from "./support/media.ts";
import { expectHome, meet } from "./support/people.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(300_000);

test("[UI-31] the messages are without faults: empty, with a thread, with a request", async ({ visit }) => {
  const theo = await visit("/", { expected: /ERR_INTERNET_DISCONNECTED/ });
  await signInAs(theo, "Looks Theo");
  await openMessages(theo);
  await theo
    .getByRole("heading", { name: words("msg.empty.title") })
    .first()
    .waitFor();
  await look(theo, "messages-empty");

  const ana = await visit("/");
  await signInAs(ana, "Looks Ana");
  await befriend(theo, ana);
  for (const text of ["hey it’s Ana, from the moqueca conversation", "I promised you the recipe!"])
    await say(ana, theo, text);
  await theo.getByRole("navigation").getByRole("button", { name: "Looks Ana" }).waitFor();
  await look(theo, "messages-unread");
  await theo.setViewportSize({ width: 1440, height: 900 });
  await theo.getByRole("navigation").getByRole("button", { name: "Looks Ana" }).click();
  await say(theo, ana, "you remembered! I bought coconut milk today");
  await say(
    ana,
    theo,
    "okay: 1 kg white fish, 2 peppers, 3 tomatoes, dendê oil, lots of coriander. Fish goes in last, ten minutes, no stirring",
  );
  await say(theo, ana, "my kitchen smells amazing");
  await theo.context().setOffline(true);
  const field = theo.getByRole("main").getByRole("textbox");
  await field.fill("call later? I want to show you");
  await field.press("Enter");
  await theo.getByRole("log").locator("[data-failed]:not(p)").waitFor();
  await look(theo, "messages-thread");
  await theo.context().setOffline(false);
  await field.fill("write me at ana@example.com");
  await theo.getByText(words("msg.personalData")).waitFor();
  await look(theo, "messages-hint");
  await theo.getByRole("button", { name: words("msg.menu", { name: "Looks Ana" }) }).click();
  await theo.getByRole("menu").waitFor();
  await look(theo, "messages-menu");
  await theo.keyboard.press("Escape");
  await theo
    .getByRole("button", { name: words("msg.new") })
    .first()
    .click();
  await theo.getByText(words("msg.pick.lead")).waitFor();
  await look(theo, "messages-friends");
});

test("[UI-31] a request is without faults, and so is what its sender sees", async ({ visit }) => {
  const seen = { devices: true, before: watchPeers } as const;
  const [samira, theo] = [await visit("/", seen), await visit("/", seen)];
  await signInAs(samira, "Looks Samira");
  await signInAs(theo, "Looks Tomas");
  await meet(samira, theo);
  await samira.keyboard.press("Escape");
  await expectHome(samira);
  await theo.keyboard.press("Escape");
  await expectHome(theo);
  await say(samira, theo, "Hi! We talked about Lyon. I found the name of that bakery, shall I send it?");
  await openMessages(theo);
  await theo.getByRole("button", { name: /Message requests/ }).click();
  await theo.getByRole("navigation").getByRole("button", { name: "Looks Samira" }).click();
  await theo.getByRole("button", { name: words("msg.ask.accept") }).waitFor();
  await look(theo, "messages-request");
  await openMessages(samira);
  await samira.getByRole("navigation").getByRole("button", { name: "Looks Tomas" }).click();
  await samira.getByText(words("msg.requestOut")).waitFor();
  await look(samira, "messages-waiting");
});

test("[UI-31] the messages keep their order in a language from right to left", async ({ visit }) => {
  const theo = await visit("/");
  await signInAs(theo, "Looks Sami");
  const ana = await visit("/");
  await signInAs(ana, "Looks Mira");
  await befriend(theo, ana);
  await say(ana, theo, "hey it’s Mira, how are you?");
  await theo.evaluate(() => localStorage.setItem("language", "ar"));
  await theo.reload();
  await theo
    .getByRole("banner")
    .getByRole("button", { name: new RegExp(wordsIn("ar", "home.messages")) })
    .click();
  await theo.getByRole("navigation").getByRole("button", { name: "Looks Mira" }).click();
  await say(theo, ana, "أهلًا! أنا بخير، وأنت؟");
  await theo.getByRole("log").getByText("أنا بخير").waitFor();
  await picture(theo, "messages-ar");
});

async function signInAs(page: Page, name: string): Promise<void> {
  await beginSession(page, { name });
}

async function openMessages(page: Page): Promise<void> {
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Messages/ })
    .click();
  await expect(page.getByRole("main", { name: words("msg.title") })).toBeVisible();
}

async function say(from: Page, to: Page, text: string): Promise<void> {
  const [self, other] = await Promise.all([selfOf(from), selfOf(to)]);
  const said = {
    user_id: self.user_id,
    externalId: other.externalId,
    client_id: `${text.length} ${text.slice(0, 9)}`,
    text,
  };
  await callAs(from, "/api/message/send", said);
}
