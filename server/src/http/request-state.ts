import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the envelope that was answered, 0 where the answer was none. */
    answerCode: number;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("answerCode", 0);
}
