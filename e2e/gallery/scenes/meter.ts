import { type Locator, type Page } from "@playwright/test";
import { walletOf } from "@fava/web/testing/bean-fixtures.ts";
import { remoteOf } from "@fava/web/testing/fixtures.ts";
import { meterPush, testMeter } from "@fava/web/testing/meter-fixtures.ts";
import { matchedPush } from "@fava/web/testing/matched-push.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { socketOpened } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { holdTimers } from "../held-timers.ts";
import { scene } from "../scene.ts";

const paid = { remote: { price: 1_600 } };
const apart = { controlsApart: true };

/** Opens the meter of the call. */
async function openMeter(page: Page, said: Words): Promise<Locator> {
  await page.getByRole("button", { name: said("meter.pillLabel") }).click();
  const panel = page.locator("#call").getByRole("dialog");
  await panel.waitFor();
  return panel;
}

const running = scene("the meter of a call", caller, async ({ page, said, show, world }) => {
  world.server.answer({ beanWallet: walletOf() });
  await startSearch(page, said);
  const roomId = await meetIn(page, world, paid);
  await holdTimers(page);
  const say = (meter: ReturnType<typeof testMeter>) => world.server.socket.push(meterPush(roomId, meter));
  say(testMeter({ clock: "free", counted_ms: 4_000, spent: 0, balance: 48_200 }));
  await page.getByRole("button", { name: said("meter.pillLabel") }).waitFor();
  await show("meter-pill", apart);
  const panel = await openMeter(page, said);
  await panel.getByText(said("meter.freeLeft")).waitFor();
  await show("meter-free");
  say(testMeter());
  await panel.getByText(said("meter.freeWere")).waitFor();
  await show("meter-running");
});

const stopping = scene("a paused meter, and a return", caller, async ({ page, said, show, world }) => {
  world.server.answer({ beanWallet: walletOf({ cap: { beans: 40_000, pending: null, spent_today: 20_267 } }) });
  await startSearch(page, said);
  const roomId = await meetIn(page, world, paid);
  await holdTimers(page);
  const stopped = testMeter({ clock: "stopped", stopped: "camera_off", limit: "cap" });
  world.server.socket.push(meterPush(roomId, stopped));
  const panel = await openMeter(page, said);
  await panel.getByText(said("meter.stop.camera_off")).waitFor();
  await panel.getByRole("meter").waitFor();
  await show("meter-stopped-by-camera");
  world.server.socket.push(meterPush(roomId, { ...stopped, stopped: "network" }));
  await panel.getByText(said("meter.stop.network")).waitFor();
  await show("meter-stopped-by-network");
  world.server.socket.push(meterPush(roomId, { ...stopped, stopped: "blurred" }));
  world.server.socket.say({ type: "shield", roomId, other: "checking", own: "clear" });
  await panel.getByText(said("meter.stop.blurred")).waitFor();
  await show("meter-stopped-by-checks");
  world.server.socket.push(meterPush(roomId, testMeter({ limit: "cap" })));
  world.server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await page.evaluate(() => window.remotePerson.stall());
  await panel.getByText(said("meter.stop.reconnecting")).waitFor();
  await show("meter-stopped-reconnecting");
  world.server.socket.push(meterPush(roomId, testMeter({ clock: "stopped", stopped: "reconnecting" })));
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  world.server.socket.say({ type: "peer-media", roomId, state: "lost" });
  await page.getByRole("heading", { name: said("openCall.may", { name: "Bo" }) }).waitFor();
  await show("call-may-return", apart);
});

const connecting = scene("a meter before the first frame", caller, async ({ page, said, show, world }) => {
  world.server.answer({ beanWallet: walletOf() });
  await startSearch(page, said);
  await socketOpened(world.server);
  await holdTimers(page);
  const unreached = { role: "answerer", peerOffer: null } as const;
  world.server.socket.push(matchedPush("room-meter", { remote: remoteOf("Bo", paid.remote), media: unreached }));
  const panel = await openMeter(page, said);
  await panel.getByText(said("meter.stop.connecting")).waitFor();
  await show("meter-stopped-connecting");
});

export const meterScenes = [running, stopping, connecting];
