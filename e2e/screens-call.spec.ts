import { look, test } from "./support/looks.ts";
import { expectCallState, startChat } from "./support/people.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(240_000);

/** A browser that never connects: it does not listen to what the other one describes. */
function deaf(): void {
  RTCPeerConnection.prototype.setRemoteDescription = () => new Promise(() => undefined);
}

/** A browser whose picture can be stopped by a new hash in its address. */
function steered(): void {
  const peers: RTCPeerConnection[] = [];
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      peers.push(this);
    }
  };
  window.addEventListener("hashchange", () => {
    const open = peers.filter(({ connectionState }) => connectionState !== "closed");
    for (const peer of open) for (const sender of peer.getSenders()) void sender.replaceTrack(null);
  });
}

test("[UI-31] the screens around a call are without faults", async ({ visit }) => {
  const one = await visit("/", { devices: true });
  const unheard = await visit("/", { devices: true, before: deaf });
  const other = await visit("/", { devices: true, before: steered });
  for (const [page, person] of [
    [one, "ana"],
    [unheard, "bo"],
    [other, "theo"],
  ] as const) {
    await beginSession(page, person);
    await page.getByRole("button", { name: words("home.account") }).waitFor();
  }

  await startChat(one);
  await look(one, "searching");
  await one
    .getByRole("heading", { name: words("search.widen") })
    .or(one.getByText(words("search.few")))
    .waitFor();
  await look(one, "widen");

  await startChat(unheard);
  await expectCallState(one, "connecting");
  await look(one, "connecting");
  await unheard.close();
  await startChat(other);
  await expectCallState(one, "in-call");
  for (const [page, text] of [
    [one, "Hello! Where are you?"],
    [other, "In Berlin, it is raining. And you, on your balcony?"],
    [one, "Lisbon, and the sun is out"],
  ] as const) {
    await page.getByRole("textbox").fill(text);
    await page.getByRole("textbox").press("Enter");
    await one.getByText(text).waitFor();
  }
  await look(one, "in-call");
  await other.evaluate(() => void (location.hash = "mute"));
  await one.getByRole("heading", { name: words("reconnect.title") }).waitFor();
  await look(one, "reconnecting");
  await other.getByRole("button", { name: words("call.end") }).click();
  await expectCallState(one, "searching");
  await look(one, "left");
});

test("[UI-31] what a search can end with is without faults", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await beginSession(page, "sam");
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  await page.route("**/api/video/match/start", (route) =>
    route.fulfill({ json: { code: 200, msg: "", data: { state: "no_profiles", price: 0, since: 0 } } }),
  );
  await page.getByRole("button", { name: words("home.start") }).click();
  await page.getByRole("button", { name: words("rules.ok") }).click();
  await page.getByRole("heading", { name: words("notice.noProfilesTitle") }).waitFor();
  await look(page, "no-profiles");
});
