import { codes } from "@fava/wire/codes.ts";
import type { Endpoint, FilePart, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { uploadTimeoutMs } from "@fava/wire/limits.ts";
import { RequestFailure } from "./request-failure.ts";
import { type RequestOptions, requestThrough, type Carry, formOf } from "./request.ts";

export interface UploadOptions extends Omit<RequestOptions, "keepalive"> {
  /** How much was sent, 0 to 1; 1 while the server processes it. */
  onProgress?: (share: number) => void;
}

/**
 * Sends one request with a file, as `request()` does without one. Its timeout is longer, and it uses `XMLHttpRequest`,
 * because `fetch` does not report progress.
 *
 * @throws RequestFailure like `request()`; code 413 for a file that is too large, which is not sent
 */
export async function upload<E extends Endpoint & { file: FilePart }>(
  endpoint: E,
  sent: { input: InputOf<E>; file: Blob },
  { onProgress, ...options }: UploadOptions = {},
): Promise<OutputOf<E>> {
  const { field, bytesMax } = endpoint.file;
  if (sent.file.size > bytesMax) throw new RequestFailure({ code: codes.tooLarge, reason: "" });
  const bytes = new Uint8Array(await sent.file.arrayBuffer());
  return requestThrough(
    endpoint,
    { form: formOf(sent.input as object, { field, bytes }), carry: carryWithProgress(onProgress) },
    { timeoutMs: uploadTimeoutMs, ...options },
  );
}

function carryWithProgress(onProgress: ((share: number) => void) | undefined): Carry {
  return ({ path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      request.open("POST", path);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
      request.onload = () => resolve(parsed(request.responseText));
      request.onerror = () => reject(new TypeError("the upload failed"));
      // Only our own signal aborts it; its reason distinguishes a timeout from a user who cancelled.
      request.onabort = () => reject(signal.reason);
      request.onloadend = () => signal.removeEventListener("abort", abort);
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", abort);
      request.send(body);
    });
}

/** Undefined if the response is not JSON, which the caller's schema rejects. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
