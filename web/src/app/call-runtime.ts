import { CallRuntime } from "#features/call/machine/call-runtime.ts";
import { ChatSocket } from "#features/call/machine/chat-socket.ts";
import { onTabLockLost, tabLock, takeTabLock } from "#features/call/machine/tab-lock.ts";
import { OfferCache, RoomCredentials } from "#features/call/room/offer-cache.ts";
import { RoomLink } from "#features/call/room/room-link.ts";
import { request, signAhead, smallRequest } from "#lib/api/request.ts";
import { upload } from "#lib/api/upload.ts";
import { takePicture } from "#lib/media/frame-sampler.ts";
import {
  checkTracks,
  closeMedia,
  keepTracksWhile,
  localMedia,
  onLocalTrackEnded,
  openMedia,
  switchCamera,
  switchMicrophone,
  watchDevices,
} from "#lib/media/local-media.ts";
import { banSession, currentUser, endSession, refreshUser, session } from "#lib/session.ts";

const credentials = new RoomCredentials(request);

/** The call of this page, with the real server and browser as its ports. */
export const callRuntime = new CallRuntime({
  request,
  smallRequest,
  signAhead,
  upload,
  session,
  currentUser,
  refreshUser,
  banSession,
  endSession,
  localMedia,
  openMedia,
  closeMedia,
  switchCamera,
  switchMicrophone,
  onLocalTrackEnded,
  keepTracksWhile,
  checkTracks,
  watchDevices,
  takePicture,
  tabLock,
  takeTabLock,
  onTabLockLost,
  credentials,
  offers: new OfferCache(credentials),
  openSocket: (listener) => new ChatSocket(listener, { currentUser, refreshUser }),
  openLink: (options) => new RoomLink(options),
});
