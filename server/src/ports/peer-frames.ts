import type { Code } from "@fava/wire/codes.ts";
import type { ProcessId } from "./room-claims.ts";

/** HTTP address of one server for the others. */
export interface PeerPlace {
  readonly process: ProcessId;
  /** An origin such as `http://10.0.0.7:3000`. */
  readonly url: string;
}

/** A requested frame on its way to the server that inspects the user. */
export interface PeerFrame {
  readonly userId: bigint;
  /** Empty during a search. */
  readonly roomId: string;
  readonly ticket: string;
  readonly bytes: Buffer;
}

/** The inspecting server's response for the page. */
export type FrameAnswer =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly code: Code; readonly message: string; readonly data: unknown };

/** Transports frames between servers; they are too large for the message bus. */
export interface PeerFrames {
  /**
   * Resolves when the frame was judged or rejected.
   *
   * @throws NobodyThereError where another server has that address now, or this one does not inspect the user.
   * @throws PeerSilentError where it is unreachable, does not answer in time, or too many frames are in transit. It may
   * have accepted the frame.
   * @throws PeerFailedError where the server rejects this one, or fails.
   */
  pass(place: PeerPlace, frame: PeerFrame): Promise<FrameAnswer>;
}
