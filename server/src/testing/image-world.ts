import type { LightMyRequestResponse } from "fastify";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { ImageReview } from "#people/image-review.ts";
import { imageHandlers } from "#people/image-routes.ts";
import { mediaRoutes } from "#people/media-route.ts";
import { profileHandlers } from "#people/profile-routes.ts";
import { type Edge, openEdge } from "./edge.ts";
import { memoryBlobs } from "./memory-blobs.ts";
import { pngOf } from "./pictures.ts";
import { type SessionWorld, sessionWorld } from "./session-world.ts";
import { type CallAnswer, type Caller, injectedInto, signedCall, signedUpload } from "./signed-call.ts";

type Endpoints = typeof endpoints;

/** Somebody of the sandbox who is signed in and calls over HTTP. */
export interface Painter {
  userId: bigint;
  call: <Name extends keyof Endpoints>(
    name: Name,
    input?: Omit<InputOf<Endpoints[Name]>, "user_id">,
  ) => Promise<CallAnswer<Record<string, unknown>>>;
  upload: (file: Uint8Array) => Promise<CallAnswer<OwnImage>>;
  /** Uploads a picture of this colour and answers its id. */
  uploaded: (colour: string) => Promise<string>;
}

/** Pictures over HTTP, on a database of their own, with blob storage that the test looks into. */
export interface ImageWorld extends SessionWorld {
  edge: Edge;
  review: ImageReview;
  painter: (who: string) => Promise<Painter>;
  get: (address: string) => Promise<LightMyRequestResponse>;
}

export async function imageWorld(): Promise<ImageWorld> {
  const world = await sessionWorld();
  await world.seed();
  const { clock, images, profiles, sessions, bus } = world;
  const review = new ImageReview({ db: world.database.db, clock, bus, images });
  review.onAvatar((userId) => profiles.forget(userId));
  const edge = await openEdge(
    { ...imageHandlers(images, review), ...profileHandlers(profiles) },
    {
      clock,
      authenticate: (token) => sessions.authenticate(token),
      plugins: async (app) =>
        mediaRoutes(app, {
          blobs: memoryBlobs(world.blobs),
          isPublic: (key) => images.isPublic(key),
          addresses: images.addresses,
        }),
    },
  );

  async function painter(who: string): Promise<Painter> {
    const { user, token, signKey } = await world.login(who);
    const caller: Caller = { target: injectedInto(edge.app), nowMs: () => clock.nowMs(), token, signKey };
    const self = { user_id: Number(user.id) };
    const upload: Painter["upload"] = (file) =>
      signedUpload(caller, endpoints.imageUpload, { input: self, file }) as Promise<CallAnswer<OwnImage>>;
    return {
      userId: user.id,
      call: (name, input) =>
        signedCall(caller, endpoints[name], { ...self, ...input } as InputOf<Endpoints[typeof name]>) as Promise<
          CallAnswer<Record<string, unknown>>
        >,
      upload,
      uploaded: async (colour) => (await upload(await pngOf({ colour }))).data.id,
    };
  }
  return { ...world, edge, review, painter, get: async (address) => edge.app.inject(address) };
}
