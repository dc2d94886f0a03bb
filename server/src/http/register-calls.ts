import { type Endpoint } from "@fava/wire/endpoint.ts";
import { endpoints, type Endpoints } from "@fava/wire/endpoints.ts";
import { codes } from "@fava/wire/codes.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/limits.ts";
import type { Nonces } from "#ports/nonces.ts";
import type { Authenticate } from "./authentication.ts";
import type { Handlers } from "./context.ts";
import { CallGate, type Admission } from "./call-gate.ts";

export interface CallsOptions {
  handlers: Handlers;
  authenticate: Authenticate;
  clock: Clock;
  limits: Limits;
  nonces: Nonces;
  /** Public key of calls made without a session. */
  appKey: string;
  /** Languages with a catalog; any other becomes `en`. */
  languages: readonly string[];
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
  const admissions = new WeakMap<FastifyRequest, Admission>();
  scope.post(
    call.path,
    {
      bodyLimit: call.bodyBytesMax,
      onRequest: async (request) => void admissions.set(request, await gate.admit(request)),
    },
    async (request) => {
      const admission = admissions.get(request);
      if (!admission) throw new Error("a call reached its handler unchecked");
      const { context, input } = await gate.check(admission, request);
      const data = await handler(context, input);
      request.answerCode = codes.ok;
      return { code: codes.ok, data };
    },
  );
}
