import type { Endpoint, FilePart, OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";

/** The live session behind a signed request. */
export interface LiveSession {
  id: string;
  userId: bigint;
  externalId: string;
  role: number;
  /** Birthday and gender are stored. */
  profileComplete: boolean;
}

/** What a handler knows of a request besides its input. */
export interface RequestContext {
  /** Null on public requests made without a token. */
  session: LiveSession | null;
  ip: string;
  userAgent: string;
  /** Interface language of the caller: one of the catalogs, `en` where unknown. */
  language: string;
  /** It came over the caller's own chat session at this process; left out where it did not. */
  isOverChat?: true;
}

/** Context of a request whose access is `user` or more: the session is there. */
export interface SignedInContext extends RequestContext {
  session: LiveSession;
}

/** What a request with a file part carries beside its fields. */
export interface FileContext {
  file: Buffer;
}

type ContextOf<E extends Endpoint> = (E["access"] extends "public" ? RequestContext : SignedInContext) &
  (E["file"] extends FilePart ? FileContext : unknown);

export type Handler<E extends Endpoint> = (context: ContextOf<E>, input: ParsedInputOf<E>) => Promise<OutputOf<E>>;

/** One handler per endpoint; a missing one is a compile error. */
export type Handlers = { [Name in keyof Endpoints]: Handler<Endpoints[Name]> };
