import { expect, type Page } from "@playwright/test";
import { expectVideoPlays, mediaFacts } from "../support/media.ts";
import { expectToast, meet, test } from "../support/people.ts";
import { words } from "../support/words.ts";

declare global {
  interface Window {
    blurWorkers: Worker[];
  }
}

/** Keeps the workers of the blur, which measure a fast device: this machine may be busy. */
function watchBlur(): void {
  const measured = { type: "measured", frameMs: Array.from({ length: 15 }, () => 5) };
  window.blurWorkers = [];
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      window.blurWorkers.push(this);
    }

    override postMessage(message: { type: string }, transferred?: Transferable[] | StructuredSerializeOptions): void {
      if (message.type === "measure") this.dispatchEvent(new MessageEvent("message", { data: measured }));
      else super.postMessage(message, transferred as Transferable[]);
    }
  };
}

test("sends a blurred background in a call, and no picture at all once the blur fails", async ({ person, partner }) => {
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Blurs" }, { before: watchBlur }),
    partner({ name: "Bo Watches" }),
  ]);
  await meet(ana, bo);
  const plain = await sentAndShown(ana);
  await ana.getByRole("button", { name: words("msg.menu", { name: "Bo Watches" }) }).click();
  await ana.getByRole("menuitem", { name: words("options.title") }).click();
  const blur = ana.getByRole("switch", { name: words("options.blur") });
  await blur.click();
  await expect.poll(async () => (await sentAndShown(ana)).sent).not.toBe(plain.sent);
  const blurred = await sentAndShown(ana);
  expect(blurred.shown).toBe(blurred.sent);
  await expect(blur).toBeChecked();
  const before = await mediaFacts(bo);
  await expectVideoPlays(bo);
  expect((await mediaFacts(bo)).framesDecoded).toBeGreaterThan(before.framesDecoded);

  await ana.evaluate(() => window.blurWorkers.at(-1)?.terminate());
  await expectToast(ana, "options.blurStopped");
  await expect(bo.getByText(words("call.cameraOff", { name: "Ana Blurs" })).first()).toBeVisible();
  await expect(blur).not.toBeChecked();
});

/** The ids of the video track that the page sends and of the one that it shows its user. */
function sentAndShown(page: Page): Promise<{ sent: string | undefined; shown: string | undefined }> {
  return page.evaluate((you) => {
    const senders = window.presentPeer()?.getSenders() ?? [];
    const own = document.querySelector<HTMLVideoElement>(`[aria-label="${you}"] video`)
      ?.srcObject as MediaStream | null;
    return {
      sent: senders.find(({ track }) => track?.kind === "video")?.track?.id,
      shown: own?.getVideoTracks()[0]?.id,
    };
  }, "You");
}
