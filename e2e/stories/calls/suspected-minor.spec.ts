import { expect, type Page } from "@playwright/test";
import { openDesk, reportAs } from "../../support/desk-person.ts";
import { selfOf } from "../../support/friends.ts";
import { markerCamera } from "../../support/marker-camera.ts";
import { expectHome, meet, test } from "../../support/people.ts";
import { rowsOf } from "../../support/product-database.ts";
import { words } from "../../support/words.ts";

const judgedMs = 60_000;
const minor = 8;
const queue = (page: Page) => page.getByRole("navigation", { name: words("desk.tab.reports") });
const inside = (key: string) => new RegExp(words(key).source.slice(1, -1), "u");

/** Waits until one frame of each user was inspected. */
async function untilLookedAt(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await expect(page.getByRole("heading", { name: words("shield.checking") })).toBeHidden({ timeout: judgedMs });
  }
}

test("stops matching a suspected minor, and shows the case only to administrators, with hashes and no frame", async ({
  person,
  product,
}) => {
  test.setTimeout(240_000);
  const camera = { before: markerCamera } as const;
  const [yan, rae] = await Promise.all([
    person({ name: "Yan Young" }, camera),
    person({ name: "Rae Reports" }, camera),
  ]);
  await meet(yan, rae);
  await untilLookedAt([yan, rae]);
  await reportAs(rae, yan, minor);
  const { user_id: subject } = await selfOf(yan);
  const kept = () =>
    rowsOf(
      product,
      "select evidence.blob_key, evidence.facts, cases.queue from evidence join cases on cases.id = case_id where subject_id = $1 and kind = 'frame'",
      [subject],
    );
  await expect.poll(async () => (await kept()).length, { timeout: judgedMs }).toBeGreaterThan(0);
  for (const { blob_key, facts, queue } of await kept()) {
    expect([blob_key, queue]).toEqual([null, "restricted"]);
    expect(JSON.parse(String(facts))).toHaveProperty("phash");
  }

  await rae.getByRole("button", { name: words("call.end") }).click();
  // The search that follows by itself ends at once, and says why.
  const paused = yan.getByRole("dialog", { name: words("shield.pausedTitle") });
  await paused.getByRole("button", { name: words("common.ok") }).click();
  await expectHome(yan);

  const mia = await person("mia");
  await openDesk(mia, "/reportReview");
  await expect(queue(mia)).toHaveAttribute("aria-busy", "false");
  await expect(queue(mia).getByText("Yan Young")).toHaveCount(0);
  await expect(mia.getByRole("radio", { name: inside("desk.box.restricted") })).toHaveCount(0);

  const ada = await person("ada");
  await openDesk(ada, "/reportReview");
  await expect(queue(ada).getByText("Yan Young")).toHaveCount(0);
  await ada.getByRole("radio", { name: inside("desk.box.restricted") }).check();
  await queue(ada).getByText("Yan Young").click();
  await expect(ada.getByRole("heading", { level: 2, name: words("reason.report.8") })).toBeVisible();
  await ada.keyboard.press("Space");
  await expect(ada.getByText(words("desk.evidence.noPictures"))).toBeVisible();
  await expect(ada.getByRole("region", { name: words("desk.evidence") }).getByRole("img")).toHaveCount(0);
  const { user_id: administrator } = await selfOf(ada);
  const looked = await rowsOf(product, "select distinct act, actor_id from restricted_access order by act");
  expect(looked).toEqual([
    { act: "list", actor_id: BigInt(administrator) },
    { act: "read", actor_id: BigInt(administrator) },
  ]);
});
