import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";

beforeAll(() => activateLanguage("en", { remember: false }));
afterEach(() => {
  setCallShown(false);
  dismissPassingToasts();
  vi.unstubAllGlobals();
});

test("reports a part that failed to load, with an offer to reload the page", () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal("location", { reload });
  reportFailedChunk();
  expect(shownToasts()).toMatchObject([{ type: "error", text: t("error.chunk.text") }]);
  shownToasts()[0]?.action?.run();
  expect(reload).toHaveBeenCalledOnce();
});

test("offers no reload during a call, which it would end", () => {
  setCallShown(true);
  reportFailedChunk();
  expect(shownToasts()).toMatchObject([{ text: t("error.chunk.title"), action: null }]);
});
