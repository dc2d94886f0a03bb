import type { CallCredentials, OfferCache } from "#features/call/room/offer-cache.ts";
import type { RoomLink, RoomLinkOptions } from "#features/call/room/room-link.ts";
import type * as requests from "#lib/api/request.ts";
import type { upload } from "#lib/api/upload.ts";
import type { takePicture } from "#lib/media/frame-sampler.ts";
import type * as media from "#lib/media/local-media.ts";
import type * as session from "#lib/session.ts";
import type { TabLeaderLock } from "#lib/tab-leader-lock.ts";
import type { ChatSocket, ChatSocketListener } from "./chat-socket.ts";

/** The public members of a class, which a fake can implement; a class type with private members cannot be faked. */
type Offered<Part> = Pick<Part, keyof Part>;

export type CallSocket = Offered<ChatSocket>;
export type CallLink = Offered<RoomLink>;

type Requests = Pick<typeof requests, "request" | "smallRequest" | "signAhead">;
type Session = Pick<typeof session, "session" | "currentUser" | "refreshUser" | "banSession" | "endSession">;
type Media = Pick<
  typeof media,
  | "localMedia"
  | "openMedia"
  | "closeMedia"
  | "switchCamera"
  | "switchMicrophone"
  | "onLocalTrackEnded"
  | "keepTracksWhile"
  | "checkTracks"
  | "watchDevices"
>;

/** What a call uses of the server, the browser and the page; tests replace it with fakes. */
export interface CallPorts extends Requests, Session, Media {
  readonly upload: typeof upload;
  readonly takePicture: typeof takePicture;
  /** Decides which tab has the call. */
  readonly tabLock: Offered<TabLeaderLock>;
  readonly takeTabLock: () => Promise<void>;
  readonly onTabLockLost: (listener: () => void) => () => void;
  readonly credentials: CallCredentials;
  readonly offers: Offered<OfferCache>;
  readonly openSocket: (listener: ChatSocketListener) => CallSocket;
  readonly openLink: (options: RoomLinkOptions) => CallLink;
}
