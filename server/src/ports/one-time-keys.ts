/** Each kind has a capacity of its own. */
export type OneTimeUse = "signInNonce" | "providerToken" | "home";

/** Keys that can be used once and expire. A lost key costs the user an attempt, never money or safety. */
export interface OneTimeKeys {
  /**
   * False where the key exists and has not expired.
   * @throws EndpointError 503 where nothing can be stored; `take` throws it too.
   */
  add(use: OneTimeUse, key: string, lifeMs: number): Promise<boolean>;
  /** Removes the key; true where it existed and had not expired. Of two concurrent calls one gets true. */
  take(use: OneTimeUse, key: string): Promise<boolean>;
}
