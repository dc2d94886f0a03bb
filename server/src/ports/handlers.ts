import type { Endpoint, FilePart, OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";

export interface LiveSession {
  id: string;
  userId: bigint;
  externalId: string;
  role: number;
  profileComplete: boolean;
}

export interface RequestContext {
  /** Null for a request without token to a public endpoint. */
  session: LiveSession | null;
  ip: string;
  userAgent: string;
  /** Interface language of the caller, one of the catalogs; `en` if unknown. */
  language: string;
  /** The site's origin in the caller's browser, such as `https://fava.example`; unset over the chat socket. */
  origin?: string;
  /** Set if the request came over the caller's own chat session at this server. */
  isOverChat?: true;
}

export interface SignedInContext extends RequestContext {
  session: LiveSession;
}

export interface FileContext {
  file: Buffer;
}

type ContextOf<E extends Endpoint> = (E["access"] extends "public" ? RequestContext : SignedInContext) &
  (E["file"] extends FilePart ? FileContext : unknown);

export type Handler<E extends Endpoint> = (context: ContextOf<E>, input: ParsedInputOf<E>) => Promise<OutputOf<E>>;

/** One handler per endpoint; a missing one is a compile error. */
export type Handlers = { [Name in keyof Endpoints]: Handler<Endpoints[Name]> };
