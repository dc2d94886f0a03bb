/** Fetches the picture a provider names, once, at sign-in. */
export interface AvatarSource {
  /**
   * The raw bytes of an allowed address, or null where the host is not allowed, the answer is too large (1 MiB), too
   * slow (5 s), redirects elsewhere or is no picture.
   */
  fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null>;
}
