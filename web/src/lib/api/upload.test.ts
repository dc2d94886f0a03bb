import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endpoint } from "@fava/wire/endpoint.ts";
import { formInteger } from "@fava/wire/form.ts";
import { uploadTimeoutMs } from "@fava/wire/limits.ts";
import { upload } from "#lib/api/upload.ts";
import { onRequestEvent, type RequestEvent } from "./request-events.ts";
import { multipartBytes } from "./request.ts";

const picture = endpoint({
  path: "/api/image/upload",
  summary: "upload",
  access: "user",
  input: { user_id: formInteger(1, 9) },
  file: { field: "file", bytesMax: 1_000 },
  output: v.object({ id: v.string() }),
});
const bytes = Uint8Array.from([0, 13, 10, 255, 45, 45, 98]);
const file = new Blob([bytes]);

/** The browser's request, to which a test responds by hand. */
class FakeRequest {
  static sent: FakeRequest[] = [];
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly headers: Record<string, string> = {};
  responseText = "";
  body: Uint8Array | null = null;
  path = "";
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  open(_method: string, path: string): void {
    this.path = path;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: Uint8Array): void {
    this.body = body;
    FakeRequest.sent.push(this);
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
  answer(text: string): void {
    this.responseText = text;
    this.onload?.();
    this.onloadend?.();
  }
}

const sentRequest = (number = 1) =>
  vi.waitFor(() => {
    const request = FakeRequest.sent[number - 1];
    if (!request) throw new Error("nothing was sent yet");
    return request;
  });

let events: RequestEvent[];
let stop: () => void;

beforeEach(() => {
  FakeRequest.sent = [];
  events = [];
  stop = onRequestEvent((event) => events.push(event));
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("sends a file byte for byte in a signed form, under a neutral name", async () => {
  const named = new File([bytes], "my holiday.jpg", { type: "image/jpeg" });
  const answer = upload(picture, { input: { user_id: 1 }, file: named });
  const request = await sentRequest();
  expect(request.path).toBe("/api/image/upload");
  expect(request.headers["signature"]).toMatch(/^[0-9a-f]{64}$/);
  const text = new TextDecoder("latin1").decode(request.body ?? new Uint8Array());
  expect(text).toContain('name="user_id"\r\n\r\n1\r\n');
  expect(text).toContain('name="language"\r\n\r\nen\r\n');
  expect(text).toContain(
    `name="file"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n${new TextDecoder("latin1").decode(bytes)}\r\n--`,
  );
  expect(text).not.toContain("holiday");
  request.answer('{"code":200,"data":{"id":"a"}}');
  await expect(answer).resolves.toEqual({ id: "a" });
});

test("reports progress as a share of the sent bytes", async () => {
  const shares: number[] = [];
  const answer = upload(picture, { input: { user_id: 1 }, file }, { onProgress: (share) => shares.push(share) });
  const request = await sentRequest();
  for (const loaded of [0, 50, 200]) request.upload.onprogress?.({ loaded, total: 200 });
  request.answer('{"code":200,"data":{"id":"a"}}');
  await answer;
  expect(shares).toEqual([0, 0.25, 1]);
});

test("rejects a file that is too large without sending it", async () => {
  const large = new Blob([new Uint8Array(1_001)]);
  await expect(upload(picture, { input: { user_id: 1 }, file: large })).rejects.toMatchObject({ code: 413 });
  expect(FakeRequest.sent).toEqual([]);
});

test("reports a rejection by the server with its reason", async () => {
  const answer = upload(picture, { input: { user_id: 1 }, file });
  (await sentRequest()).answer('{"code":406,"data":{"reason":"image_unreadable"},"msg":"image_unreadable"}');
  await expect(answer).rejects.toMatchObject({ code: 406, reason: "image_unreadable" });
  expect(events).toEqual([]);
});

test("signs an upload again, once, after the clock was corrected", async () => {
  const answer = upload(picture, { input: { user_id: 1 }, file });
  (await sentRequest()).answer(`{"code":460,"data":{"server_time":${Date.now()}}}`);
  (await sentRequest(2)).answer('{"code":200,"data":{"id":"a"}}');
  await expect(answer).resolves.toEqual({ id: "a" });
});

test("lets the user cancel an upload, without an error message", async () => {
  const controller = new AbortController();
  const answer = upload(picture, { input: { user_id: 1 }, file }, { signal: controller.signal });
  await sentRequest();
  controller.abort();
  await expect(answer).rejects.toMatchObject({ code: 0, reason: "aborted" });
  expect(events).toEqual([]);
});

test("fails as a server error without a network, and for an invalid response", async () => {
  const lost = upload(picture, { input: { user_id: 1 }, file });
  (await sentRequest()).onerror?.();
  await expect(lost).rejects.toMatchObject({ reason: "network" });
  const odd = upload(picture, { input: { user_id: 1 }, file });
  (await sentRequest(2)).answer("<html>");
  await expect(odd).rejects.toMatchObject({ reason: "bad_answer" });
  expect(events).toEqual([{ type: "server-error" }, { type: "server-error" }]);
});

test("times out after two minutes", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const answer = upload(picture, { input: { user_id: 1 }, file });
  (await sentRequest()).answer('{"code":200,"data":{"id":"a"}}');
  await answer;
  expect(timeout.mock.calls).toEqual([[uploadTimeoutMs]]);
});

test("does not change a form without a file", () => {
  const plain = multipartBytes([["a", "1"]], "b0");
  expect(new TextDecoder().decode(plain.bytes)).toBe(
    '--b0\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b0--\r\n',
  );
});
