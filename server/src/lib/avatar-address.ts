export function avatarAddress(avatarKey: string): string {
  return avatarKey === "" ? "" : `/media/avatars/${avatarKey}`;
}
