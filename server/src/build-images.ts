import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import { Periodic } from "#features/shop/periodic.ts";
import { mediaRoutes } from "#features/uploads/media-route.ts";
import { ImageReview } from "#features/uploads/review.ts";
import { imageHandlers } from "#features/uploads/routes.ts";
import { ImageService } from "#features/uploads/service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Limits } from "#ports/limits.ts";
import type { Random } from "#ports/random.ts";

export interface ImageParts {
  db: Kysely<Database>;
  bus: Pick<Bus, "push">;
  blobs: Blobs;
  clock: Clock;
  random: Random;
  serverSecret: string;
  limits: Limits;
  /** What looks at uploads; null where an operator switched it off. */
  classifier: FrameClassifier | null;
  isShadow: boolean;
  logger: Logger;
}

const forgetEveryMs = 3_600_000;

/** Pictures of people, their review, and what serves and forgets them until it is disposed. */
export function buildImages(parts: ImageParts) {
  const { blobs, clock, logger } = parts;
  const service = new ImageService(parts);
  const review = new ImageReview({ ...parts, images: service });
  const forgetting = new Periodic({
    clock,
    logger,
    name: "unused pictures",
    pauseMs: () => forgetEveryMs,
    work: () => service.forgetStale(),
  });
  return {
    service,
    review,
    handlers: imageHandlers(service, review),
    routes: (app: FastifyInstance): void =>
      mediaRoutes(app, { blobs, isPublic: (key) => service.isPublic(key), addresses: service.addresses }),
    [Symbol.asyncDispose]: () => forgetting[Symbol.asyncDispose](),
  };
}
