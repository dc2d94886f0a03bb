import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { offerReload } from "./idle-tasks.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { shownToasts } from "#ui/toast-store.ts";

beforeAll(() => activateLanguage("en", { remember: false }));
afterEach(() => void vi.unstubAllGlobals());

test("offers a new version, not during a call but after it, and reloads only on a press", () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal("location", { reload });
  const offers = () => shownToasts().map(({ text }) => text);
  setCallShown(true);
  offerReload();
  expect(offers()).toEqual([]);
  setCallShown(false);
  expect(offers()).toEqual([t("device.newVersion")]);
  setCallShown(true);
  expect(offers()).toEqual([]);
  setCallShown(false);
  offerReload();
  expect(offers()).toEqual([t("device.newVersion")]);
  expect(reload).not.toHaveBeenCalled();
  shownToasts()[0]?.action?.run();
  expect(reload).toHaveBeenCalledOnce();
});
