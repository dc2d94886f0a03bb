import { openPeople } from "#lib/person-links.ts";
import { currentUser, restored } from "#lib/session.ts";

/**
 * Report of the safety centre (rules PAGE-47, PAGE-48): signed in it opens the people met lately, otherwise `here` goes
 * on in the page. A press may come before the server has confirmed a stored session; that is waited for, a second at
 * most.
 */
export async function beginReport(here: () => void): Promise<void> {
  await restored();
  if (currentUser()) openPeople("recent");
  else here();
}
