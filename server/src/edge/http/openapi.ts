import { toJsonSchema } from "@valibot/to-json-schema";
import type { FastifyInstance } from "fastify";
import { codes, forbiddenReasons, refusedReasons, sessionEndReasons } from "@fava/wire/codes.ts";
import type { Endpoint } from "@fava/wire/endpoint.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { socketRequestBodyBytesMax } from "@fava/wire/limits.ts";
import { signingHeaders } from "@fava/wire/signing.ts";
import { socketPath } from "@fava/wire/socket.ts";
import { reasonText } from "./error-handler.ts";

const codeMeanings: Readonly<Record<keyof typeof codes, string>> = {
  ok: "success; `data` is the result",
  badInput: "invalid input, `data.field` names the field if there is one; on login also: login failed",
  notEnoughBeans: "not enough beans",
  forbidden:
    "denied, `data.reason` is a `ForbiddenReason`, `msg` explains it to the user in the language of the request",
  noSession: "no valid session, `data.reason` is a `SessionEndReason`; `unknown_call` for an unknown endpoint",
  refused: "rejected, `data.reason` is a `RefusedReason`, `msg` explains it to the user in the language of the request",
  banned: "banned; `data` is the notice",
  tooLarge: "the body is too large (also the HTTP status)",
  slowDown: "too many requests, `data.retry_after` in seconds (also the HTTP status)",
  clockOff: "the timestamp differs by more than 300 s, `data.server_time` in milliseconds",
  badSignature: "the signature is invalid",
  replayed: "the nonce was used before",
  serverError: "server error, `data.id` is in the log (also the HTTP status)",
  unavailable: "the database is unavailable, `data.retry_after` in seconds (also the HTTP status)",
};

const headerMeanings: Readonly<Record<keyof typeof signingHeaders, { pattern: string; description: string }>> = {
  timestamp: { pattern: "^\\d{13}$", description: "Milliseconds since the epoch" },
  nonce: { pattern: "^[0-9a-f]{32}$", description: "Random, never used before" },
  signature: {
    pattern: "^[0-9a-f]{64}$",
    description:
      "HMAC-SHA256 over `v1`, method, path, timestamp, nonce, token and the SHA-256 of the body, each on its own line; the key is the session's `sign_key`, or the public app key without a token",
  },
  token: { pattern: "^[\\w.~+/=-]{0,256}$", description: "Session token of the login" },
};

const overSocketMeaning = `Requests to endpoints with \`x-over-socket\` may also be sent as a message on the caller's own chat socket, \`${socketPath}\`: \`{"type": "request", "id", "path", "timestamp", "nonce", "signature", "token", "contentType", "body"}\` with the headers and the form of the POST, signed like that POST, at most ${socketRequestBodyBytesMax} bytes of form. \`{"type": "response", "id", "answer"}\` carries the envelope of the POST, on the same socket or never; without it the client sends the POST.`;

export function openApiDocument(): object {
  return {
    openapi: "3.1.0",
    info: { title: "Fava", version: "1", description: `Response codes: ${codeList()}\n\n${overSocketMeaning}` },
    paths: Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [endpoint.path, { post: operation(name, endpoint) }]),
    ),
    components: {
      schemas: { Code: { type: "integer", enum: Object.values(codes), description: codeList() }, ...reasonSchemas() },
    },
  };
}

function reasonSchemas(): object {
  const told = (words: typeof forbiddenReasons | typeof refusedReasons) => ({
    type: "string",
    enum: words,
    description: words.map((word) => `${word}: ${reasonText(word, "en")}`).join("\n"),
  });
  return {
    ForbiddenReason: told(forbiddenReasons),
    RefusedReason: told(refusedReasons),
    SessionEndReason: { type: "string", enum: sessionEndReasons },
  };
}

export function serveOpenApi(app: FastifyInstance): void {
  const text = JSON.stringify(openApiDocument());
  app.get("/api/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(text));
}

function operation(name: string, endpoint: Endpoint): object {
  return {
    operationId: name,
    summary: endpoint.summary,
    "x-access": endpoint.access,
    "x-body-bytes-max": endpoint.bodyBytesMax,
    "x-over-socket": endpoint.overSocket,
    parameters: (Object.keys(signingHeaders) as (keyof typeof signingHeaders)[]).map((header) => ({
      name: signingHeaders[header],
      in: "header",
      required: header !== "token" || endpoint.access !== "public",
      description: headerMeanings[header].description,
      schema: { type: "string", pattern: headerMeanings[header].pattern },
    })),
    requestBody: { required: true, content: { "multipart/form-data": { schema: formSchema(endpoint) } } },
    responses: {
      200: envelope("The envelope, whatever its code", outputSchema(endpoint)),
      413: envelope(codeMeanings.tooLarge, {}),
      429: envelope(codeMeanings.slowDown, {}),
      500: envelope(codeMeanings.serverError, {}),
      503: envelope(codeMeanings.unavailable, {}),
    },
  };
}

function formSchema(endpoint: Endpoint): object {
  const schema: FormSchema = inputSchema(endpoint);
  if (!endpoint.file) return schema;
  const { field, bytesMax } = endpoint.file;
  return {
    ...schema,
    properties: { ...schema.properties, [field]: { type: "string", format: "binary", maxLength: bytesMax } },
    required: [...(schema.required ?? []), field],
  };
}

interface FormSchema {
  properties?: object;
  required?: readonly string[];
}

/** Describes fields by their parsed type, not by the text in the form: hence the output type of the schemas. */
function inputSchema(endpoint: Endpoint): object {
  return withoutDialect(toJsonSchema(endpoint.input, { typeMode: "output", errorMode: "throw" }));
}

function outputSchema(endpoint: Endpoint): object {
  return withoutDialect(toJsonSchema(endpoint.output, { typeMode: "output", errorMode: "throw" }));
}

function envelope(description: string, data: object): object {
  return {
    description,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["code", "data"],
          properties: {
            code: { $ref: "#/components/schemas/Code" },
            data: { description: "Null or the details of the code unless it is 200", anyOf: [data, {}] },
            msg: { type: "string" },
          },
        },
      },
    },
  };
}

function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema"));
}

function codeList(): string {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  return names.map((name) => `${codes[name]} ${codeMeanings[name]}`).join("; ");
}
