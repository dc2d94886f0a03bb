import * as v from "valibot";
import { formUserId } from "./form.ts";
import { requestBodyBytesMax } from "./limits.ts";

/**
 * One endpoint: its path, who may use it, its input and its output. Server routes, the client's `request()` and the
 * OpenAPI document are derived from these records.
 *
 * `access`: `public` before login, `user` with a session, `complete` also needs birthday and gender, then roles.
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
  /** The one file in the form beside its fields; null for none. */
  readonly file: FilePart | null;
  /** A banned user may send it too, with the appeal token instead of the session token. */
  readonly appeal: boolean;
  /** The same signed request may also arrive as a message on the chat socket (rule SIGN-60). */
  readonly overSocket: boolean;
  /** Changes nothing: the server answers it even while nonces cannot be stored (rule SIGN-15). */
  readonly isRead: boolean;
  /** Its ticket opens once, so a replay changes nothing: the server accepts it even while nonces cannot be stored. */
  readonly opensOnce: boolean;
}

export interface FilePart {
  readonly field: string;
  readonly bytesMax: number;
}

export type Access = "public" | "user" | "complete" | "moderator" | "admin";

/** Input of a caller; the client adds `language`. */
export type InputOf<E extends Endpoint> = v.InferInput<E["input"]>;
/** Input after validation, as the handler receives it. */
export type ParsedInputOf<E extends Endpoint> = v.InferOutput<E["input"]>;
export type OutputOf<E extends Endpoint> = v.InferOutput<E["output"]>;

const languageEntry = { language: v.optional(v.pipe(v.string(), v.maxLength(16))) };
/** The caller's own id; endpoints that require it declare it themselves. */
const callerEntry = { user_id: v.optional(formUserId) };
type WithCaller<Entries> = Entries & (Entries extends { user_id: unknown } ? unknown : typeof callerEntry);

/** Declares an endpoint. It rejects unknown fields, and accepts `user_id` and `language` (rules SIGN-13, SIGN-22). */
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
    // Without `file` its type parameter is null.
    file: (declared.file ?? null) as File,
    appeal: declared.appeal ?? false,
    overSocket: declared.overSocket ?? false,
    isRead: declared.isRead ?? false,
    opensOnce: declared.opensOnce ?? false,
  };
}
