import { afterEach, expect, test, vi } from "vitest";
import { tellMissingPart } from "#lib/missing-part.ts";
import { setOverCall } from "#lib/over-call.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";

vi.mock("#lib/i18n.ts", () => ({ t: (key: string) => key }));

afterEach(() => {
  setOverCall(false);
  dismissPassingToasts();
  vi.unstubAllGlobals();
});

test("[DEVICE-5] a part that did not come is told, with an offer to load the page again", () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal("location", { reload });
  tellMissingPart();
  expect(shownToasts()).toMatchObject([{ type: "error", text: "error.chunk.text" }]);
  shownToasts()[0]?.action?.run();
  expect(reload).toHaveBeenCalledOnce();
});

test("[DEVICE-5] in a call nothing is offered that would end it", () => {
  setOverCall(true);
  tellMissingPart();
  expect(shownToasts()).toMatchObject([{ text: "error.chunk.title", action: null }]);
});
