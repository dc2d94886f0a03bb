import * as v from "valibot";
import { formUserId } from "./form.ts";
import { requestBodyBytesMax } from "./limits.ts";

/**
 * One call of the product: where it is, who may make it, what goes in and what comes out. Everything else (server
 * routes, the client's `call()`, the OpenAPI document) is derived from these records.
 *
 * `access`: `public` before login, `user` with a session, `complete` also birthday and gender, then roles.
 */
export interface Endpoint<
  Input extends v.GenericSchema = v.GenericSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> {
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly input: Input;
  readonly output: Output;
  readonly bodyBytesMax: number;
  /** The one file that the form carries beside its fields; null for none. */
  readonly file: FilePart | null;
  /** A banned person may make it too, with the appeal token in place of the session's. */
  readonly appeal: boolean;
  /** The same signed call may also come as a message on the chat socket (rule SIGN-60). */
  readonly overSocket: boolean;
  /** It changes nothing: it is answered also while no nonce can be remembered (rule SIGN-15). */
  readonly isRead: boolean;
  /** What it is sent for opens once by itself, so that a copy of it changes nothing: it is taken meanwhile, too. */
  readonly opensOnce: boolean;
}

export interface FilePart {
  readonly field: string;
  readonly bytesMax: number;
}

export type Access = "public" | "user" | "complete" | "moderator" | "admin";

/** What a caller passes; `language` is added by the client itself. */
export type InputOf<E extends Endpoint> = v.InferInput<E["input"]>;
/** What the server's handler receives. */
export type ParsedInputOf<E extends Endpoint> = v.InferOutput<E["input"]>;
export type OutputOf<E extends Endpoint> = v.InferOutput<E["output"]>;

const languageEntry = { language: v.optional(v.pipe(v.string(), v.maxLength(16))) };
/** The caller's own; calls that need it say so themselves. */
const callerEntry = { user_id: v.optional(formUserId) };
type WithCaller<Entries> = Entries & (Entries extends { user_id: unknown } ? unknown : typeof callerEntry);

/** Declares a call. Unknown fields are refused; `user_id` and `language` are accepted everywhere (rules SIGN-13, SIGN-22). */
export function endpoint<
  const Entries extends v.ObjectEntries,
  Output extends v.GenericSchema,
  const Who extends Access,
  const File extends FilePart | null = null,
>(declared: {
  path: string;
  summary: string;
  access: Who;
  input: Entries;
  output: Output;
  bodyBytesMax?: number;
  file?: File;
  appeal?: true;
  overSocket?: true;
  isRead?: true;
  opensOnce?: true;
}) {
  return {
    path: declared.path,
    summary: declared.summary,
    access: declared.access,
    input: v.strictObject({
      ...({ ...callerEntry, ...declared.input } as WithCaller<Entries>),
      ...languageEntry,
    }),
    output: declared.output,
    bodyBytesMax: declared.bodyBytesMax ?? requestBodyBytesMax,
    // Left out it is null, which is what the type says then.
    file: (declared.file ?? null) as File,
    appeal: declared.appeal ?? false,
    overSocket: declared.overSocket ?? false,
    isRead: declared.isRead ?? false,
    opensOnce: declared.opensOnce ?? false,
  };
}
