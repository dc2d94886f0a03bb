import { workerPath } from "@fava/wire/installed-app.ts";
import type { MessageToWorker } from "#lib/shell-rules.ts";

/** An open page checks for a newer version at most this often. */
const checkEveryMs = 60 * 60_000;

interface WorkerOptions {
  /** The language of the cached home screen. */
  language: () => string;
  /** Called when the server has another version of the web app than this page. */
  onNewVersion: () => void;
}

/**
 * Registers the service worker, lets it cache the home screen, and checks for newer versions, until `signal` aborts.
 * Resolves to a function that caches the home screen again after a change of language; null without a worker.
 */
export async function startWorker(options: WorkerOptions, signal: AbortSignal): Promise<(() => void) | null> {
  const version = pageVersion();
  if (!("serviceWorker" in navigator) || version === null) return null;
  const registration = await register();
  if (!registration || signal.aborted) return null;
  registration.addEventListener(
    "updatefound",
    () => {
      const { installing } = registration;
      if (installing) void tellVersion(installing).then((now) => now !== version && options.onNewVersion());
    },
    { signal },
  );
  checkNowAndThen(registration, signal);
  const keep = () => {
    const message: MessageToWorker = { type: "keep", language: options.language(), version };
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message));
  };
  keep();
  return keep;
}

/** The version in the server's page; null if it was not built, as in development. */
function pageVersion(): string | null {
  return document.querySelector('meta[name="app-version"]')?.getAttribute("content") ?? null;
}

/** Undefined if the browser denies service workers, as in some private windows. */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await navigator.serviceWorker.register(workerPath);
  } catch (error) {
    console.info("no service worker", error);
    return undefined;
  }
}

/** The version of the web app that a worker came with; never resolves if the worker does not respond. */
function tellVersion(worker: ServiceWorker): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", ({ data }: MessageEvent<string>) => {
      port1.close();
      resolve(data);
    });
    port1.start();
    worker.postMessage({ type: "version" } satisfies MessageToWorker, [port2]);
  });
}

/** Browsers check for a newer worker when a page opens; an open page checks by itself while it is visible. */
function checkNowAndThen(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  let checkedAtMs = Date.now();
  const check = () => {
    if (document.hidden || !navigator.onLine || Date.now() - checkedAtMs < checkEveryMs) return;
    checkedAtMs = Date.now();
    registration.update().catch((error: unknown) => console.info("checking for an update failed", error));
  };
  const timer = setInterval(check, checkEveryMs);
  document.addEventListener("visibilitychange", check, { signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}
