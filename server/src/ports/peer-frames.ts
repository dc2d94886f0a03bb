import type { Code } from "@fava/wire/codes.ts";
import type { ProcessId } from "./room-claims.ts";

/** Where one process of the site is reached by the others over HTTP. */
export interface PeerPlace {
  readonly process: ProcessId;
  /** An origin such as `http://10.0.0.7:3000`. */
  readonly url: string;
}

/** A picture that the inspection asked a person for, on its way to the process that looks at it. */
export interface PeerFrame {
  readonly userId: bigint;
  /** Empty while they search. */
  readonly roomId: string;
  readonly ticket: string;
  readonly bytes: Buffer;
}

/** What the inspection there says to the page. */
export type FrameAnswer =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly code: Code; readonly message: string; readonly data: unknown };

/** The way of pictures from one process of the site to another: they are too large for what carries questions. */
export interface PeerFrames {
  /**
   * Resolves when the picture was judged there, or refused.
   *
   * @throws NobodyThereError where another process is there by now, or that one does not look at the person.
   * @throws PeerSilentError where it cannot be reached, does not answer in time, or too many pictures are on their way:
   * it may have been taken all the same.
   * @throws PeerFailedError where the process refuses this one, or fails.
   */
  pass(place: PeerPlace, frame: PeerFrame): Promise<FrameAnswer>;
}
