import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import type { Handlers } from "#ports/handlers.ts";
import { openEdge } from "#test/fixtures/edge.ts";
import { formBytes, signedHeaders } from "#test/fixtures/signed-call.ts";

const path = endpoints.matchStart.path;

async function edgeWithSearch() {
  const matchStart = vi.fn<Handlers["matchStart"]>(async () => ({ state: "searching", price: 0, since: 0 }));
  const edge = await openEdge({ matchStart });
  const send = async (body: Buffer, headers: Record<string, string>) => {
    const answer = await edge.app.inject({ method: "POST", url: path, headers, payload: body });
    return (answer.json() as { code: number }).code;
  };
  return { edge, matchStart, send };
}

test("never passes random bytes to a handler, though signed", async () => {
  const { edge, matchStart, send } = await edgeWithSearch();
  const types = fc.constantFrom("multipart/form-data; boundary=b", "application/json", "text/plain", "");
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), types, async (bytes, type) => {
    const body = Buffer.from(bytes);
    const headers = { ...signedHeaders(edge.ana, path, body), ...(type === "" ? {} : { "content-type": type }) };
    expect(await send(body, headers)).toBe(400);
  });
  await fc.assert(property, fuzz(200));
  expect(matchStart).not.toHaveBeenCalled();
});

test("never passes a body that was changed in transit to a handler", async () => {
  const { edge, matchStart, send } = await edgeWithSearch();
  const { body, contentType } = formBytes({ user_id: 1, sex: 0, country: 0 });
  const property = fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
    const headers = { ...signedHeaders(edge.ana, path, body), "content-type": contentType };
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ change;
    expect(await send(changed, headers)).toBe(461);
  });
  await fc.assert(property, fuzz(100));
  expect(matchStart).not.toHaveBeenCalled();
});

test("runs a valid search for a changed body with its own signature, or rejects it", async () => {
  const { edge, matchStart, send } = await edgeWithSearch();
  const { body, contentType } = formBytes({ user_id: 1, sex: 0, country: 0 });
  const property = fc.asyncProperty(fc.nat(body.length - 1), fc.uint8Array({ maxLength: 6 }), async (at, bytes) => {
    const changed = Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + bytes.length)]);
    matchStart.mockClear();
    const code = await send(changed, { ...signedHeaders(edge.ana, path, changed), "content-type": contentType });
    expect([200, 400, 403]).toContain(code);
    expect(matchStart).toHaveBeenCalledTimes(code === 200 ? 1 : 0);
    for (const [, input] of matchStart.mock.calls)
      expect(input).toMatchObject({ user_id: 1, sex: expect.any(Number), country: expect.any(Number) });
  });
  await fc.assert(property, fuzz(300));
});
