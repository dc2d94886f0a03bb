import { startFlow } from "#app/start-flow.ts";
import { goTo } from "#lib/address.ts";
import { openOverlay } from "#lib/overlays.ts";
import { openThread } from "#lib/person-links.ts";
import { session } from "#lib/session.ts";

/** The shortcuts of the installed app are addresses of the home screen (rule DEVICE-1). */
export function takeShortcut(): void {
  const address = new URL(location.href);
  const wanted = address.searchParams.get("open");
  if (wanted === null || address.pathname !== "/") return;
  // Loading the page again does not start again.
  address.searchParams.delete("open");
  goTo(`${address.pathname}${address.search}`, { replace: true });
  if (wanted === "start") void startFlow();
  else if (wanted === "messages") void openMessages();
}

async function openMessages(): Promise<void> {
  if (session.getState().status === "anonymous" && (await openOverlay("login")) !== "done") return;
  openThread(null);
}
