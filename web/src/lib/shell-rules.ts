/** What a page tells its worker; `version` is answered through the port that comes with it. */
export type WorkerMessage =
  | { readonly type: "keep"; readonly language: string; readonly version: string }
  | { readonly type: "version" };

/** What a worker tells a page: a notification about this was pressed. */
export interface WorkerNews {
  readonly type: "open";
  readonly address: string;
}

/** Far more than the home screen asks for. */
const filesMax = 64;

interface Asked {
  readonly method: string;
  /** `navigate` for a page of its own. */
  readonly mode: string;
  readonly url: string;
}

/**
 * Who answers a request. `shell`: the network, and without one the home screen that was kept. `file`: what
 * was kept of the built files. `network`: the browser alone, as if there was no worker: calls, the socket, pictures of
 * people, payments, the desk and every page but home.
 */
export function answererOf({ method, mode, url }: Asked, origin: string): "shell" | "file" | "network" {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "network";
  if (mode === "navigate") return address.pathname === "/" ? "shell" : "network";
  return address.pathname.startsWith("/assets/") ? "file" : "network";
}

/** The built files that a page names in its HTML: its script with what that imports, its styles, one language. */
export function filesOf(html: string): readonly string[] {
  const found = html.matchAll(/\s(?:src|href)="(\/assets\/[\w.-]+)"/g);
  return [...new Set([...found].map(([, path]) => path ?? ""))].slice(0, filesMax);
}
