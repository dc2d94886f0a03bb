import type { Endpoint, FilePart, OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";

export interface LiveSession {
  id: string;
  userId: bigint;
  externalId: string;
  role: number;
  /** Birthday and gender are stored. */
  profileComplete: boolean;
}

export interface RequestContext {
  /** Null on public requests without a token. */
  session: LiveSession | null;
  ip: string;
  userAgent: string;
  /** Interface language of the caller, one of the catalogs; `en` where unknown. */
  language: string;
  /** The request arrived over the caller's own chat session at this server; left out otherwise. */
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
