/** A message of a page to its service worker; `version` is answered through the attached port. */
export type MessageToWorker =
  | { readonly type: "keep"; readonly language: string; readonly version: string }
  | { readonly type: "version" };

/** A message of the worker to a page: the user pressed a notification with this address. */
export interface MessageToPage {
  readonly type: "open";
  readonly address: string;
}

/** Far more than the home screen requests. */
const filesMax = 64;

interface Asked {
  readonly method: string;
  /** The mode of the request; `navigate` for a document. */
  readonly mode: string;
  readonly url: string;
}

/**
 * Who answers a request. `shell`: the network, and the cached home screen without one. `file`: the cache of built
 * files. `network`: the browser, as without a worker: requests, the socket, user images, payments, the desk and every
 * page but home.
 */
export function responseSourceOf({ method, mode, url }: Asked, origin: string): "shell" | "file" | "network" {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "network";
  if (mode === "navigate") return address.pathname === "/" ? "shell" : "network";
  return address.pathname.startsWith("/assets/") ? "file" : "network";
}

/** The built files that a page references in its HTML: its script with imports, its styles, one language. */
export function filesOf(html: string): readonly string[] {
  const found = html.matchAll(/\s(?:src|href)="(\/assets\/[\w.-]+)"/g);
  return [...new Set([...found].map(([, path]) => path ?? ""))].slice(0, filesMax);
}
