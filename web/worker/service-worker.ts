import { responseSourceOf, filesOf, type MessageToWorker, type MessageToPage } from "../src/lib/shell-rules.ts";

/**
 * Opens the home screen without a network (docs/decisions/016-service-worker.md), and shows notifications while no page
 * is open (docs/decisions/049-web-push.md). The cache depends on no version of this file, so a new worker can take over
 * at once.
 */
declare const self: ServiceWorkerGlobalScope;
/** A push message of the server (wire/src/notifications.ts). */
interface PushMessage {
  readonly notification: NotificationOptions & { readonly title: string; readonly navigate: string };
}

/** The version of the web app, inserted by the build. */
declare const appVersion: string;

const cacheName = "fava-shell";
const shellPath = "/";
/** The cache entry with the language and version of the cached page. Not an address of the server. */
const notePath = "/kept-shell";

self.addEventListener("install", () => void self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(prepare()));

self.addEventListener("message", (event) => {
  const message = event.data as MessageToWorker;
  if (message.type === "version") event.ports[0]?.postMessage(appVersion);
  else event.waitUntil(keep(message).catch((error: unknown) => console.info("caching the home screen failed", error)));
});

self.addEventListener("fetch", (event) => {
  switch (responseSourceOf(event.request, self.location.origin)) {
    case "shell":
      return event.respondWith(shell(event));
    case "file":
      return event.respondWith(file(event.request));
    case "network":
      return undefined;
  }
});

self.addEventListener("push", (event) => {
  const message = event.data?.json() as PushMessage | undefined;
  if (message) event.waitUntil(showNotification(message));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openAddress(String(event.notification.data)));
});

/** Shows what browsers with declarative web push show without a worker. */
function showNotification({ notification: { title, navigate, ...options } }: PushMessage): Promise<void> {
  return self.registration.showNotification(title, { ...options, icon: "/icons/any-192.png", data: navigate });
}

/**
 * Opens the address of a notification: in an open home screen, even during a call, or otherwise in a new window. Opens
 * only addresses of our own origin.
 */
async function openAddress(navigate: string): Promise<void> {
  const address = new URL(navigate, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const home = pages.find(({ url }) => address.pathname === "/" && new URL(url).pathname === "/");
  if (!home) return void (await self.clients.openWindow(address));
  // Some systems let no page come to the front: send the address anyway.
  const page = await home.focus().catch(() => home);
  page.postMessage({ type: "open", address: address.href } satisfies MessageToPage);
}

async function prepare(): Promise<void> {
  // Requests pages while the worker still starts.
  await self.registration.navigationPreload?.enable();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
}

/** The page of the server, so that no user stays on an old version; the cached one only without a response. */
async function shell(event: FetchEvent): Promise<Response> {
  try {
    const preloaded = (await event.preloadResponse) as Response | undefined;
    return preloaded ?? (await fetch(event.request));
  } catch (error) {
    const kept = await caches.match(shellPath, { cacheName, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** Built files never change under their names. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName, ignoreVary: true })) ?? fetch(request);
}

/** Caches the home screen in one language, and replaces the previous one. @throws Error if a file fails to load */
async function keep({ language, version }: Extract<MessageToWorker, { type: "keep" }>): Promise<void> {
  const cache = await caches.open(cacheName);
  const note = `${language} ${version}`;
  if ((await (await cache.match(notePath))?.text()) === note) return;
  const page = await fetched(`/?lang=${encodeURIComponent(language)}`, { cache: "no-cache" });
  const files = filesOf(await page.clone().text());
  await Promise.all(
    files.map(async (path) => {
      if (!(await cache.match(path, { ignoreVary: true }))) await cache.put(path, await fetched(path));
    }),
  );
  // Last, so that no page is cached without all of its files.
  await cache.put(shellPath, page);
  await cache.put(notePath, new Response(note));
  await dropOthers(cache, new Set([...files, shellPath, notePath]));
}

async function dropOthers(cache: Cache, wanted: ReadonlySet<string>): Promise<void> {
  const kept = await cache.keys();
  const unwanted = kept.filter(({ url }) => !wanted.has(new URL(url).pathname));
  await Promise.all(unwanted.map((request) => cache.delete(request, { ignoreVary: true })));
}

async function fetched(path: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, options);
  if (!answer.ok || answer.redirected) throw new Error(`${path}: HTTP ${answer.status}`);
  return answer;
}
