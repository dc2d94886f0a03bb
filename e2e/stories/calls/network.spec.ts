import { expect, type Locator, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { framesDecoded } from "../../support/media.ts";
import {
  callScreen,
  expectCallState,
  expectToast,
  expectTogether,
  meet,
  startChat,
  test,
} from "../../support/people.ts";
import { rowsOf } from "../../support/product-database.ts";
import { words } from "../../support/words.ts";

test(
  "[ERR-3] reports a server that is away, searches once it is back, keeps the call without its chat socket, and delivers chat lines once",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Unanswered" }, { isUsedUp: true }),
      partner({ name: "Bo Answered" }),
    ]);
    const line = await loseSocketsOf(ana);
    await ana.reload();
    await startChat(bo);
    line.hold();
    line.cut();
    await ana.route("**/api/**", (route) => route.abort("connectionrefused"));
    await startChat(ana);
    await expectToast(ana, "error.server");
    await expectCallState(ana, "searching");
    await expectCallState(bo, "searching");
    await ana.unroute("**/api/**");
    line.release();
    await expectTogether(ana, bo);

    line.hold();
    line.cut();
    const seen = await framesDecoded(ana);
    await write(ana, "written without a socket");
    await expect.poll(() => framesDecoded(ana)).toBeGreaterThan(seen + 5);
    await expect(chatOf(bo).getByText("written without a socket")).toBeHidden();
    line.release();
    await expect(chatOf(bo).getByText("written without a socket")).toBeVisible();
    await expect(chatOf(ana).locator('[data-state="sent"]')).toHaveText("written without a socket");
    await write(bo, "and heard again");
    await expect(chatOf(ana).getByText("and heard again")).toBeVisible();
    await expect(chatOf(bo).getByText("written without a socket")).toHaveCount(1);
    await expectTogether(ana, bo);
    await expect(callScreen(bo).getByRole("heading", { name: words("search.left") })).toHaveCount(0);
  },
);

test("[START-66, CALL-130] keeps the video while the server is down, and continues the call once it is back", async ({
  person,
  product,
}) => {
  // A server starts, and pages reconnect after random delays.
  test.setTimeout(240_000);
  const [ana, bo] = await Promise.all([person({ name: "Ana Outlives" }), person({ name: "Bo Outlives" })]);
  await meet(ana, bo);
  const roomsOf = (page: Page) =>
    framesOf(page)
      .pushes(pushCodes.matched)
      .map(({ roomId }) => roomId);
  // What the next server can know of the call is written asynchronously.
  const written = () => rowsOf(product, "select from calls where id = $1 and connected_at is not null", roomsOf(ana));
  await expect.poll(async () => (await written()).length).toBe(1);
  await product.kill();
  const seen = await framesDecoded(ana);
  await expect.poll(() => framesDecoded(ana)).toBeGreaterThan(seen + 5);
  for (const page of [ana, bo]) await expectCallState(page, "in-call");
  await product.restart();
  // The new server finds the call in the database, and takes it over when both users are connected.
  for (const page of [ana, bo]) {
    await expect.poll(() => roomsOf(page).length, { timeout: 90_000 }).toBe(2);
    expect(new Set(roomsOf(page)).size, "rooms").toBe(1);
  }
  await expectTogether(ana, bo);
  await write(ana, "here again");
  await expect(chatOf(bo).getByText("here again")).toBeVisible();
});

interface Line {
  /** Cuts the current socket on both sides, without a close. */
  cut(): void;
  /** New sockets cannot connect. */
  hold(): void;
  release(): void;
}

/** Puts the test between a page and the server's sockets, from the next load on. */
async function loseSocketsOf(page: Page): Promise<Line> {
  let held = false;
  const cuts = new Set<() => void>();
  await page.routeWebSocket(/\/ws\?/, async (socket) => {
    if (held) return socket.close({ code: 4_000 });
    const server = socket.connectToServer();
    cuts.add(() => void Promise.all([server.close({ code: 4_000 }), socket.close({ code: 4_000 })]));
  });
  return {
    cut() {
      for (const cut of cuts) cut();
      cuts.clear();
    },
    hold: () => void (held = true),
    release: () => void (held = false),
  };
}

function chatOf(page: Page): Locator {
  return page.getByRole("log", { name: words("call.chat") });
}

async function write(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill(text);
  await field.press("Enter");
}
