/** Kinds of keys. Each kind has its own capacity. */
export type OneTimeUse = "signInNonce" | "providerToken" | "newPasskey" | "passkeySignIn" | "home";

/** Keys that work once and expire. If one is lost, a user must try again; neither money nor safety depends on it. */
export interface OneTimeKeys {
  /**
   * Stores a key. False if the key is stored and has not expired.
   * @throws EndpointError 503 if storing is impossible; `take` throws it too.
   */
  add(use: OneTimeUse, key: string, lifeMs: number): Promise<boolean>;
  /** Removes the key. True if the key was stored and had not expired. Of two concurrent calls one gets true. */
  take(use: OneTimeUse, key: string): Promise<boolean>;
}
