/** Path of a user's picture; empty without one. */
export function avatarAddress(avatarKey: string): string {
  return avatarKey === "" ? "" : `/media/avatars/${avatarKey}`;
}
