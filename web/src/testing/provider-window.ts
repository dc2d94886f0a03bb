import { onTestFinished, vi } from "vitest";
import type { LoginType } from "@fava/wire/people.ts";

export interface ProviderWindow {
  /** Whether the page has opened it. */
  readonly isOpen: boolean;
  /** The person has chosen an account there. */
  choose(change?: { login_type?: LoginType; third_party_token?: string }): void;
}

/**
 * The window of the sandbox's provider, which the page opens and listens to. A frame stands in for it, which is a window
 * of its own without being one that the browser would show.
 */
export function stubProviderWindow(): ProviderWindow {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  let isOpen = false;
  vi.stubGlobal("open", () => {
    document.body.append(frame);
    isOpen = true;
    return frame.contentWindow;
  });
  onTestFinished(() => frame.remove());
  return {
    get isOpen() {
      return isOpen;
    },
    choose(change = {}) {
      const chosen = { login_type: 1, third_party_id: "sandbox-google-ana", third_party_token: "token", ...change };
      const data = { type: "fava-sandbox-identity", nickname: "Ana", avatar: "", ...chosen };
      const source = frame.contentWindow;
      window.dispatchEvent(new MessageEvent("message", { origin: location.origin, source, data }));
    },
  };
}
