import { onTestFinished, vi } from "vitest";
import type { LoginType } from "@fava/wire/people.ts";
import type { GoogleIdentity } from "#features/session/provider-scripts.ts";

export interface ProviderWindow {
  /** Whether the page has opened it. */
  readonly isOpen: boolean;
  /** The query of the address of the window that was opened last. */
  readonly asked: URLSearchParams;
  /** Acts as a user who chooses an account in the window. */
  choose(change?: { login_type?: LoginType; third_party_token?: string }): void;
}

/**
 * The window of the sandbox provider, which the page opens and listens to. An iframe replaces it: it has its own
 * window, but the browser does not show it.
 */
export function stubProviderWindow(): ProviderWindow {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  let isOpen = false;
  let asked = new URLSearchParams();
  vi.stubGlobal("open", (address: URL) => {
    asked = address.searchParams;
    document.body.append(frame);
    isOpen = true;
    return frame.contentWindow;
  });
  onTestFinished(() => frame.remove());
  return {
    get isOpen() {
      return isOpen;
    },
    get asked() {
      return asked;
    },
    choose(change = {}) {
      const chosen = { login_type: 1, third_party_id: "sandbox-google-ana", third_party_token: "token", ...change };
      const data = { type: "fava-sandbox-identity", nickname: "Ana", avatar: "", ...chosen };
      const source = frame.contentWindow;
      window.dispatchEvent(new MessageEvent("message", { origin: location.origin, source, data }));
    },
  };
}

/** Google's script without a prompt; a press on its button chooses the account with the id `sub`. */
export function stubGoogle(sub: string): { readonly button: string } {
  const button = "Google's own";
  let answer = (_given: { credential: string }): void => undefined;
  const identity: GoogleIdentity = {
    initialize: (options) => (answer = (given) => options.callback(given)),
    prompt: (listener) => listener({ isSkippedMoment: () => true }),
    renderButton: (place) => {
      const own = Object.assign(document.createElement("button"), { textContent: button });
      own.addEventListener("click", () => answer({ credential: `e30.${btoa(JSON.stringify({ sub }))}.signature` }));
      place.append(own);
    },
    cancel: () => undefined,
  };
  vi.stubGlobal("google", { accounts: { id: identity } });
  const append = document.head.append.bind(document.head);
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    const [node] = nodes;
    if (node instanceof HTMLScriptElement) node.dispatchEvent(new Event("load"));
    else append(...nodes);
  });
  return { button };
}
