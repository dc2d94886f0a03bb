import type { Key, Translate } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";

/** Copies a text. A toast says so in the words of `done`, or that the browser refused. */
export async function copyText(t: Translate, text: string, done: Key = "common.copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ type: "success", text: t(done) });
  } catch {
    // The text is that of the specification.
    showToast({ type: "error", text: t("common.copyFailed") });
  }
}
