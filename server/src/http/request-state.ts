import type { FastifyInstance } from "fastify";
import type { Admission } from "./call-gate.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Code of the envelope that was answered, 0 where the answer was none. */
    answerCode: number;
    /** Of calls that may send their body. */
    admission: Admission | null;
    /** Of the call, once its form was read: one of the catalogs, `en` where unknown. */
    language: string;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("answerCode", 0);
  app.decorateRequest("admission", null);
  app.decorateRequest("language", "en");
}
