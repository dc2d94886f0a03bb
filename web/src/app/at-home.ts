import { manifestPath } from "@fava/wire/installed-app.ts";
import { offerReload } from "#app/reload-offer.ts";
import { takeShortcut } from "#app/shortcut.ts";
import { askWhileUsed } from "#lib/ask-while-used.ts";
import { currentLanguage, onLanguageChange } from "#lib/i18n.ts";
import { watchKeyboard } from "#lib/keyboard-inset.ts";
import { startWorker } from "#lib/own-worker.ts";

/** What makes the page at home on a device, loaded once it stands: nothing of it is needed before. */
export function startAtHome(signal: AbortSignal): void {
  watchKeyboard(signal);
  askWhileUsed(signal);
  takeShortcut();
  nameManifest();
  let keepShell: (() => void) | null = null;
  const stop = onLanguageChange(() => {
    nameManifest();
    keepShell?.();
  });
  signal.addEventListener("abort", stop);
  void startWorker({ language: currentLanguage, onNewVersion: offerReload }, signal).then((keep) => {
    keepShell = keep;
  });
}

/** The installed app has its name and shortcuts in the language of the page. */
function nameManifest(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (link) link.href = manifestPath(currentLanguage());
}
