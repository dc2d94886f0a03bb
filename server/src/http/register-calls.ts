import type { Endpoint } from "@fava/wire/endpoint.ts";
import { endpoints, type Endpoints } from "@fava/wire/endpoints.ts";
import { codes } from "@fava/wire/codes.ts";
import type { FastifyInstance } from "fastify";
import { CallGate, type GateOptions } from "./call-gate.ts";
import type { Handlers } from "./context.ts";

export interface CallsOptions extends GateOptions {
  handlers: Handlers;
}

type AnyHandler = (context: unknown, input: unknown) => Promise<unknown>;

/** Gives each record of `@fava/wire/endpoints.ts` its POST route. */
export async function registerCalls(app: FastifyInstance, options: CallsOptions): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes as they came, so they are read whole and parsed only after it holds.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const name of Object.keys(endpoints) as (keyof Endpoints)[]) registerCall(scope, name, options);
  });
}

function registerCall(scope: FastifyInstance, name: keyof Endpoints, options: CallsOptions): void {
  const call: Endpoint = endpoints[name];
  const gate = new CallGate(name, call, options);
  // Input and context of each handler follow from its record; the loop over all of them cannot say so.
  const handler = options.handlers[name] as AnyHandler;
  scope.post(
    call.path,
    {
      bodyLimit: call.bodyBytesMax,
      onRequest: async (request) => {
        request.admission = await gate.admit(request);
      },
    },
    async (request) => {
      if (!request.admission) throw new Error("a call reached its handler unchecked");
      const { context, input } = await gate.check(request.admission, request);
      const data = await handler(context, input);
      request.answerCode = codes.ok;
      return { code: codes.ok, data };
    },
  );
}
