/** Address of a person's picture; empty for none. */
export function avatarAddress(avatarKey: string): string {
  return avatarKey === "" ? "" : `/media/avatars/${avatarKey}`;
}
