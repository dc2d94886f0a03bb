import { expect, test } from "vitest";
import { codes, forbiddenReasons, refusedReasons, sessionEndReasons } from "@fava/wire/codes.ts";
import type { Endpoint } from "@fava/wire/endpoint.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { openEdge } from "#test/fixtures/edge.ts";

interface Operation {
  operationId: string;
  "x-over-socket": boolean;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody: {
    content: {
      "multipart/form-data": {
        schema: { properties: Record<string, object>; required?: string[]; additionalProperties: boolean };
      };
    };
  };
  responses: Record<string, object>;
}

async function document() {
  const edge = await openEdge();
  const answer = await edge.app.inject("/api/openapi.json");
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  return answer.json() as {
    openapi: string;
    info: { description: string };
    paths: Record<string, { post: Operation }>;
    components: {
      schemas: Record<"Code" | "ForbiddenReason" | "RefusedReason", { enum: unknown[]; description: string }>;
    };
  };
}

test("documents every endpoint with its fields, headers and codes", async () => {
  const { openapi, paths, components } = await document();
  expect(openapi).toBe("3.1.0");
  expect(Object.keys(paths).toSorted()).toEqual(
    Object.values(endpoints)
      .map(({ path }) => path)
      .toSorted(),
  );
  for (const [name, call] of Object.entries(endpoints) as [string, Endpoint & { input: { entries: object } }][]) {
    const operation = paths[call.path]?.post;
    const schema = operation?.requestBody.content["multipart/form-data"].schema;
    expect(operation?.operationId).toBe(name);
    expect(Object.keys(schema?.properties ?? {})).toEqual([
      ...Object.keys(call.input.entries),
      ...(call.file ? [call.file.field] : []),
    ]);
    expect(schema?.additionalProperties).toBe(false);
    expect(operation?.parameters.map((parameter) => parameter.name)).toEqual([
      "timestamp",
      "nonce",
      "signature",
      "token",
    ]);
    expect(operation?.parameters[3]?.required).toBe(call.access !== "public");
    expect(Object.keys(operation?.responses ?? {})).toEqual(["200", "413", "429", "500", "503"]);
  }
  expect(components.schemas.Code.enum).toContain(460);
});

test("documents every reason with the text that users read", async () => {
  const { Code, ForbiddenReason, RefusedReason, ...others } = (await document()).components.schemas;
  expect(Code.enum).toEqual(Object.values(codes));
  expect(ForbiddenReason.enum).toEqual(forbiddenReasons);
  expect(RefusedReason.enum).toEqual(refusedReasons);
  expect(others).toEqual({ SessionEndReason: { type: "string", enum: sessionEndReasons } });
  expect(ForbiddenReason.description).toContain("role: Your role does not allow this.");
  expect(RefusedReason.description.split("\n")).toHaveLength(refusedReasons.length);
});

test("describes the meaning of fields", async () => {
  const { paths } = await document();
  const schema = paths[endpoints.matchStart.path]?.post.requestBody.content["multipart/form-data"].schema;
  expect(schema?.properties).toMatchObject({
    user_id: { type: "integer", minimum: 1 },
    sex: { enum: [0, 1, 2] },
    offer: { type: "string", maxLength: 20_000 },
  });
  expect(schema?.required).toEqual(["user_id", "sex", "country"]);
});

test("documents which requests may use the socket, and how", async () => {
  const { info, paths } = await document();
  const over = Object.values(paths).filter(({ post }) => post["x-over-socket"]);
  expect(over.map(({ post }) => post.operationId).toSorted()).toEqual([
    "matchInfoUpdate",
    "matchStart",
    "matchStop",
    "ring",
    "ringAnswer",
    "ringCancel",
    "startVideo",
  ]);
  expect(info.description).toContain('"type": "request"');
});
