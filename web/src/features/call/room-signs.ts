import type { OutputOf } from "@fava/wire/endpoint.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import { call } from "#lib/api/call.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { writeStored } from "#lib/storage.ts";

export type RoomSign = OutputOf<typeof testRoomSign>;

/** Credentials are fetched anew this long before they run out. */
const renewBeforeMs = 60_000;
/** A restart waits for them, so they are not waited for long. */
const signTimeoutMs = 5_000;

/** The relay credentials of this person, shared by all connections and fetched when they are about to end (rule MEDIA-7). */
export class RoomSigns {
  #sign: RoomSign | null = null;
  #fetching: Promise<RoomSign> | null = null;

  /** @throws CallFailure when there are none and the server gives none. */
  current(): Promise<RoomSign> {
    if (this.#sign && this.#sign.expiresAt - renewBeforeMs > serverNowMs()) return Promise.resolve(this.#sign);
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** The next person of this page has credentials of their own. */
  forget(): void {
    this.#sign = null;
    this.#fetching = null;
  }

  #fetch(): Promise<RoomSign> {
    const fetching = call(testRoomSign, {}, { quiet: true, timeoutMs: signTimeoutMs })
      .then((sign) => {
        if (this.#fetching !== fetching) return sign;
        writeStored("agoraToken", sign.token);
        this.#sign = sign;
        return sign;
      })
      .finally(() => {
        if (this.#fetching === fetching) this.#fetching = null;
      });
    return fetching;
  }
}

/** Whether connections may still be made with it. */
export function holds(sign: RoomSign): boolean {
  return sign.expiresAt > serverNowMs();
}
