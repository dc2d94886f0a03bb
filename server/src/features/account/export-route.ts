import type { FastifyInstance } from "fastify";
import type { ExportQuery } from "./export-address.ts";
import type { ExportService } from "./export-service.ts";

/** Hands an export to whoever holds its signed address while that opens; a browser saves it and never shows it. */
export function exportRoute(app: FastifyInstance, exports: Pick<ExportService, "file">): void {
  app.get<{ Params: { key: string }; Querystring: ExportQuery }>(
    "/media/exports/:key",
    async ({ params, query }, reply) => {
      const file = await exports.file(params.key, query);
      reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
      if (!file) return reply.code(404).send({ code: 404, data: null, msg: "no such export" });
      return reply
        .type("application/zip")
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .send(file.bytes);
    },
  );
}
