import type { Simulation } from "./simulation.ts";
import type { SimulatedPerson } from "./simulated-person.ts";

/** Everything that must hold after every step; returns the violations. */
export function broken(simulation: Simulation): string[] {
  return [
    ...brokenRooms(simulation),
    ...brokenPool(simulation),
    ...simulation.people.flatMap((person) => brokenBelief(person, simulation)),
  ];
}

/** Everything that must be gone after every person has left; returns what remains. */
export function leftovers({ world }: Simulation): string[] {
  const open = [...world.log.calls.values()].filter((call) => call.endReason === null);
  const counts = {
    rooms: world.calls.roomCount,
    searches: world.matches.counts.searching,
    "people in the matcher": world.matches.counts.waiting,
    "people present": world.bus.presentCount(),
    "calls without an end": open.length,
    timers: world.clock.pendingCount,
  };
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
}

function brokenRooms({ world }: Simulation): string[] {
  const open = [...world.log.calls.values()].filter((call) => call.endReason === null);
  const people = open.flatMap((call) => [call.offererId, call.answererId]);
  const problems: string[] = [];
  if (new Set(people).size !== people.length) problems.push("a user is in two rooms");
  if (open.length !== world.calls.roomCount)
    problems.push(`${open.length} open calls in the log and ${world.calls.roomCount} rooms`);
  for (const call of open) {
    for (const userId of [call.offererId, call.answererId]) {
      if (!world.calls.isIn(userId, call.id)) problems.push(`room ${call.id} has lost ${userId}`);
      const { status, return_ms } = world.matches.info(userId);
      if (!world.bus.isHere(userId) && return_ms === null) problems.push(`${userId} has left and is still in a room`);
      if (status < 2) problems.push(`${userId} searches from inside a room`);
    }
  }
  return problems;
}

/** Every searching person is in the matcher or has lost the socket. */
function brokenPool({ world, people, isPairing }: Simulation): string[] {
  const searching = people.filter(({ userId }) => world.matches.info(userId).status === 1);
  const connected = searching.filter((person) => person.isConnected);
  const { counts } = world.matches;
  const problems: string[] = [];
  if (counts.searching !== searching.length)
    problems.push(`${counts.searching} searches of ${searching.length} people`);
  const lost = isPairing ? counts.waiting > connected.length : counts.waiting !== connected.length;
  if (lost) problems.push(`${counts.waiting} of ${connected.length} connected searches in the matcher`);
  return problems;
}

/** A connected browser agrees with the server, and a match fits the filters of both. */
function brokenBelief(person: SimulatedPerson, simulation: Simulation): string[] {
  if (!person.isConnected) return [];
  const { userId, belief } = person;
  const { status, match } = simulation.world.matches.info(userId);
  const expected = belief.kind === "in-room" ? [2, 3] : belief.kind === "searching" ? [1] : [0];
  if (!expected.includes(status)) return [`${userId} believes ${belief.kind}, the server says ${status}`];
  if (belief.kind !== "in-room") return [];
  if (match?.roomId !== belief.match.roomId) return [`${userId} believes in another room`];
  return accepts(person, belief.match.user_Id, simulation) ? [] : [`${userId} was matched against their own filters`];
}

function accepts(person: SimulatedPerson, otherId: number, { world }: Simulation): boolean {
  const other = world.facts.get(BigInt(otherId));
  if (!other || BigInt(otherId) === person.userId) return false;
  const { sex, country } = person.filters;
  return (sex === 0 || sex === other.sex) && (country <= 0 || country === other.countryId);
}
