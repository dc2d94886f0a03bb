import { CallFailure } from "#lib/api/call-failure.ts";

/** Ends when `work` has; the call events tell the person of a failure, and here it changes nothing. */
export async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
  }
}
